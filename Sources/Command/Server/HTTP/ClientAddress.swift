import CSKANSystem
import SKANCore
package import SKANSystem

/// IPv4 addresses are stored as IPv4-mapped IPv6 addresses.
package struct ClientAddress: Hashable, Sendable {
    private let high, low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An address that no client has.
    static var nobody: ClientAddress { ClientAddress(high: .max, low: .max) }

    private init(four: in_addr) { self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: four.s_addr))) }

    private init(six: in6_addr) {
        let halves = withUnsafeBytes(of: six) { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }

    /// nil for families other than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>?) {
        guard let address else { return nil }
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET: self.init(four: raw.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(six: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    /// Parses "192.0.2.1" or "2001:db8::1"; nil for any other text.
    package init?(_ text: Bytes) {
        // No address has 46 or more bytes.
        guard 2..<46 ~= text.count, !text.contains(0) else { return nil }
        let written = CText([UInt8](text))
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, written.characters, &four) == 1 {
            self.init(four: four)
        } else if inet_pton(AF_INET6, written.characters, &six) == 1 {
            self.init(six: six)
        } else {
            return nil
        }
    }

    package var isLoopback: Bool { isFour ? low >> 24 == 0xFFFF_7F : high == 0 && low == 1 }

    package var isFour: Bool { high == 0 && low >> 32 == 0xFFFF }

    /// The address that identifies a client: the IPv4 address, or the 64-bit network of the IPv6 address, since
    /// providers assign such a network to one customer.
    var client: ClientAddress { isFour ? self : ClientAddress(high: high, low: 0) }

    /// The /24 network of an IPv4 address, or the /64 network of an IPv6 address, which is logged instead of the
    /// address.
    var network: ClientAddress { isFour ? ClientAddress(high: 0, low: low & ~0xFF) : client }

    /// The 16 octets of the IPv6 address. The octets of an IPv4 address are the last four.
    var octets: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> (56 - 8 * UInt64($0 & 7))) }
    }

    /// Whether the first `bits` bits of the IPv6 address equal those of another address.
    func begins(with other: ClientAddress, bits: Int) -> Bool {
        let (ofHigh, ofLow) = (min(bits, 64), max(bits - 64, 0))
        return (high ^ other.high) & ~(UInt64.max >> ofHigh) == 0 && (low ^ other.low) & ~(UInt64.max >> ofLow) == 0
    }

    /// Returns a hash for hash tables. Clients that do not know the seed cannot predict the hash.
    func hash(_ seed: UInt64) -> UInt64 {
        var hash = (high ^ seed) &* 0x9E37_79B9_7F4A_7C15
        hash = ((hash ^ hash >> 32) &+ low) &* 0xD6E8_FEB8_6659_FD93
        hash = (hash ^ hash >> 32 ^ seed) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ hash >> 32
    }
}
