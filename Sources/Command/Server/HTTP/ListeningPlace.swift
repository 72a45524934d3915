import CSKANSystem
package import SKANCore
import SKANSystem

package enum ListeningPlace: Sendable {
    /// A numeric IPv4 or IPv6 address, and a port; port 0 means any free port.
    case tcp(Message, port: UInt16)
    /// The path of a Unix socket, which the server makes.
    case unix([UInt8])
    /// The descriptor in this process of a listening socket that the service manager has opened.
    case inherited(Int32)

    /// The maximum length of a Unix socket's path in bytes.
    package static var pathBytes: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

    /// The place's address if other machines can reach it; nil if they cannot, or if it is not a numeric address.
    package var reachable: Message? {
        switch self {
        case .tcp(let address, _):
            let parsed = address.utf8.withUnsafeBytes { ClientAddress($0) }
            return parsed.map { !$0.isLoopback } ?? false ? address : nil
        case .unix: return nil
        case .inherited(let socket):
            let name = SocketName(of: socket)
            return name.address.map { !$0.isLoopback } ?? false ? name.text : nil
        }
    }
}

/// The place where a socket listens, as messages show it.
struct SocketName {
    /// "http://127.0.0.1:8080" or "unix:/run/skan.sock".
    let text: Message
    /// nil for a Unix socket.
    let address: ClientAddress?

    init(of socket: Int32) {
        var bound = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = withSocketAddress(&bound) { getsockname(socket, $0, &size) } == 0
        let address = isKnown ? withSocketAddress(&bound) { ClientAddress(UnsafePointer($0)) } : nil
        self.address = address
        guard let address else {
            text = "unix:\(isKnown ? Message(utf8: unixPath(&bound, size)) : "")"
            return
        }
        // Both families have the port at the same offset.
        let stored = withUnsafeBytes(of: bound) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        let port = UInt16(bigEndian: stored)
        let written = address.text(.full) ?? ""
        text = address.isFour ? "http://\(written):\(Int(port))" : "http://[\(written)]:\(Int(port))"
    }
}

/// Returns the path in a Unix socket's address. "@" stands for the NUL at the start of an abstract name.
private func unixPath(_ bound: inout sockaddr_storage, _ size: socklen_t) -> [UInt8] {
    withUnsafeBytes(of: bound) { bytes in
        let path = bytes[min(MemoryLayout<sa_family_t>.size, Int(size))..<min(Int(size), bytes.count)]
        guard path.first == 0 else { return [UInt8](path.prefix { $0 != 0 }) }
        return [UInt8(ascii: "@")] + path.dropFirst()
    }
}

func withSocketAddress<Address, Result>(
    _ address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>?) -> Result
) -> Result {
    withUnsafeMutablePointer(to: &address) { body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: sockaddr.self)) }
}

/// Returns the address of a Unix socket; nil if its name is empty, too long or contains a NUL. A name that starts with
/// "@" is abstract.
func unixAddress(_ name: [UInt8]) -> (address: sockaddr_un, size: socklen_t)? {
    var address = sockaddr_un()
    guard !name.isEmpty, name.count <= ListeningPlace.pathBytes, !name.contains(0) else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    let isAbstract = name[0] == UInt8(ascii: "@")
    withUnsafeMutableBytes(of: &address.sun_path) { path in
        path.copyBytes(from: name)
        if isAbstract { path[0] = 0 }
    }
    let size = MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1)
    return (address, socklen_t(size))
}
