import CSKANSystem
import SKANCore
import SKANSystem

struct ServerListener {
    let socket: Int32
    let name: Message
    /// Whether the process opened the socket itself. A service manager's socket stays open for the next process.
    let isOwn: Bool
    /// The file of a Unix socket that the process made; nil for other sockets.
    let file: UnixSocketFile?

    /// Starts listening, or throws the reason why that failed. `mode`: the file permissions of a Unix socket.
    init(_ place: ListeningPlace, mode: UInt32) throws(Failure) {
        switch place {
        case .tcp(let address, let port):
            socket = try listening(address, port)
            file = nil
        case .unix(let path):
            let made = try UnixSocketFile.listen(path, mode: mode)
            (socket, file) = (made.socket, made)
        case .inherited(let given):
            (socket, file) = (given, nil)
        }
        if case .inherited = place { isOwn = false } else { isOwn = true }
        name = SocketName(of: socket).text
    }

    /// Whether the socket is a TCP socket that the process opened itself. libmicrohttpd can be given such a socket, but
    /// only one, and closes it at the end.
    var isOwnTCP: Bool { isOwn && file == nil }

    /// Closes the socket and removes its file. Called if the server could not be started.
    func end() {
        file?.remove()
        close(socket)
    }

    /// Refuses further connections to a socket that the process opened itself. Clients that have connected stay
    /// connected.
    func refuse() {
        if let file { file.remove() } else if isOwn { _ = system_refuse_connections(socket) }
    }
}

private func listening(_ address: Message, _ port: UInt16) throws(Failure) -> Int32 {
    var six = sockaddr_in6()
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = port.bigEndian
    let text = CText(address.utf8)
    if inet_pton(AF_INET, text.characters, &four.sin_addr) == 1 { return try listening(&four, address, port) }
    if inet_pton(AF_INET6, text.characters, &six.sin6_addr) == 1 { return try listening(&six, address, port) }
    throw Failure(.invalidArgument, "expected a numeric IPv4 or IPv6 address, got \"\(address)\"")
}

/// `Address` is `sockaddr_in` or `sockaddr_in6`.
private func listening<Address>(
    _ address: inout Address, _ name: Message, _ port: UInt16
) throws(Failure) -> Int32 {
    let made: Int32 = withSocketAddress(&address) { address in
        let made = newSocket(Int32(address?.pointee.sa_family ?? 0), SOCK_STREAM)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Address>.size)
        guard made >= 0, setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0,
            bind(made, address, size) == 0, listen(made, longestQueue) == 0
        else {
            let why = systemError
            if made >= 0 { close(made) }
            return -why
        }
        return made
    }
    guard made >= 0 else {
        throw Failure(
            .transport, "cannot listen on \(name) port \(Int(port)): \(Message(systemError: -made))")
    }
    return made
}
