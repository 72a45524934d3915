import CSKANSystem
import SKANCore
import SKANSystem

/// The listening socket.
struct ServerListener {
    let socket: Int32
    let port: UInt16

    /// Throws the reason if it cannot listen there.
    init(address: Message, port: UInt16) throws(Failure) {
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        let text = CText(address.utf8)
        if inet_pton(AF_INET, text.characters, &four.sin_addr) == 1 {
            socket = try listening(&four, address, port)
        } else if inet_pton(AF_INET6, text.characters, &six.sin6_addr) == 1 {
            socket = try listening(&six, address, port)
        } else {
            throw Failure(.invalidArgument, "expected a numeric IPv4 or IPv6 address, got \"\(address)\"")
        }
        self.port = boundPort(socket)
    }
}

/// A socket that listens at an address of either family.
private func listening<Address>(
    _ address: inout Address, _ name: Message, _ port: UInt16
) throws(Failure) -> Int32 {
    let made: Int32 = withSockAddress(&address) { address in
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let family = Int32(address?.pointee.sa_family ?? 0)
        let made = CSKANSystem.socket(family, kind, 0)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Address>.size)
        guard made >= 0, setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0,
            bind(made, address, size) == 0, listen(made, 1024) == 0
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

private func boundPort(_ socket: Int32) -> UInt16 {
    var bound = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Both families have the port at the same offset.
    guard withSockAddress(&bound, { getsockname(socket, $0, &size) }) == 0 else { return 0 }
    return UInt16(bigEndian: bound.sin6_port)
}

private func withSockAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>?) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) { body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self)) }
}
