import CSKANSystem
import SKANCore
import SKANSystem

/// A Unix socket that a server has made, and its file.
struct UnixSocketFile {
    let socket: Int32
    private let path: CText
    private let device: UInt
    private let number: UInt

    /// Removes a file that an ended server left behind, but only if nobody listens there. `mode`: the file permissions.
    static func listen(_ path: [UInt8], mode: UInt32) throws(Failure) -> UnixSocketFile {
        let name = Message(utf8: path)
        guard path.first != UInt8(ascii: "@"), var address = unixAddress(path) else {
            throw Failure(
                .invalidArgument, "unix:\(name): expected a path of 1 to \(ListeningPlace.pathBytes) bytes")
        }
        let made = newSocket(AF_UNIX, SOCK_STREAM)
        guard made >= 0 else { throw refused(name, systemError) }
        let file = CText(path)
        do throws(Failure) {
            try removeStale(file, name, &address)
            // The socket listens only once the file has its mode, so that nobody can connect before.
            let bound = withSocketAddress(&address.address) { bind(made, $0, address.size) }
            guard bound == 0, chmod(file.characters, mode_t(mode)) == 0, CSKANSystem.listen(made, longestQueue) == 0
            else { throw refused(name, systemError) }
        } catch {
            close(made)
            throw error
        }
        var found = stat()
        _ = lstat(file.characters, &found)
        return UnixSocketFile(socket: made, path: file, device: UInt(found.st_dev), number: UInt(found.st_ino))
    }

    /// Removes the socket's file, unless another server has replaced it by its own.
    func remove() {
        var found = stat()
        guard lstat(path.characters, &found) == 0, UInt(found.st_dev) == device, UInt(found.st_ino) == number else {
            return
        }
        unlink(path.characters)
    }
}

private func removeStale(
    _ file: CText, _ name: Message, _ address: inout (address: sockaddr_un, size: socklen_t)
) throws(Failure) {
    var found = stat()
    guard lstat(file.characters, &found) == 0 else { return }
    guard found.st_mode & mode_t(S_IFMT) == mode_t(S_IFSOCK) else {
        throw Failure(.transport, "cannot listen on unix:\(name): there is a file that is not a socket")
    }
    let asking = newSocket(AF_UNIX, SOCK_STREAM)
    guard asking >= 0 else { throw refused(name, systemError) }
    defer { close(asking) }
    let isListening = withSocketAddress(&address.address) { connect(asking, $0, address.size) } == 0
    guard !isListening, systemError == ECONNREFUSED else {
        throw refused(name, isListening || systemError == EAGAIN ? EADDRINUSE : systemError)
    }
    unlink(file.characters)
}

private func refused(_ name: Message, _ error: Int32) -> Failure {
    Failure(.transport, "cannot listen on unix:\(name): \(Message(systemError: error))")
}
