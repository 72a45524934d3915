import CSKANSystem
package import SKANCore
import SKANSystem

/// How much of a client's address is logged.
package enum LoggedAddress: Sendable {
    /// Logs no address, only its network (the first 24 bits for IPv4, the first 64 for IPv6), or the full address.
    case none, net, full
}

extension ClientAddress {
    /// Returns the address as it is logged: "192.0.2.1", "192.0.2.0/24", "2001:db8::/64"; nil if addresses are not
    /// logged.
    package func text(_ form: LoggedAddress) -> Message? {
        switch form {
        case .none: nil
        case .full: written
        case .net: "\(network.written)/\(isFour ? 24 : 64)"
        }
    }

    private var written: Message {
        let bytes = octets
        let (family, start) = isFour ? (AF_INET, 12) : (AF_INET6, 0)
        let text = [CChar](unsafeUninitializedCapacity: longestAddress) { memory, count in
            count = bytes.withUnsafeBytes { bytes in
                guard let from = bytes.baseAddress, let to = memory.baseAddress,
                    inet_ntop(family, from + start, to, socklen_t(longestAddress)) != nil
                else { return 0 }
                return strlen(to)
            }
        }
        return Message(utf8: text.map { UInt8(bitPattern: $0) })
    }
}

/// The maximum length of an address's text in bytes, including the NUL.
private var longestAddress: Int { 46 }
