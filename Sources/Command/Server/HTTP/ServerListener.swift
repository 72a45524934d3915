import CSKANSystem
import SKANCore
import SKANSystem

/// A listening socket.
struct ServerListener {
    let socket: Int32
    let name: Message
    /// Whether the process made it. A service manager's stays open when the process ends, for the next one.
    let isOwn: Bool
    /// The Unix socket that the process made; nil if it is none.
    let file: UnixSocketFile?

    /// Throws the reason if it cannot listen there. `mode`: that of a Unix socket.
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

    /// Whether libmicrohttpd can accept its connections: it closes the socket at the end, and takes one only.
    var isOwnTCP: Bool { isOwn && file == nil }

    /// Ends listening, before a server has begun.
    func end() {
        file?.remove()
        close(socket)
    }

    /// From now on, nobody can connect to a socket of the process's own. Who has connected stays.
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

/// A socket that listens at an address of either family.
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
