internal import SKANCore
internal import SKANSystem

/// The place at which a server listens.
enum RedisPlace: Sendable {
    /// The path of a Unix socket.
    case path(CText)
    case host(CText, port: UInt32)

    /// "host:port" with an IPv6 address in brackets, or the path.
    var name: Message {
        switch self {
        case .path(let path): return path.message
        case .host(let host, let port):
            let name = host.message
            return name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(port)" : "\(name):\(port)"
        }
    }

    /// The place of a host's `name`; nil where it is none.
    init?(named name: Slice<Bytes>) {
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")),
            let port = number(name[(colon + 1)...], atMost: 65_535), port > 0
        else { return nil }
        var host = name[..<colon]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        guard 1...255 ~= host.count, !host.contains(0) else { return nil }
        self = .host(CText(host), port: port)
    }

    /// The host's name or address; nil for a Unix socket.
    var host: CText? {
        if case .host(let host, _) = self { return host }
        return nil
    }

    func isHost(_ other: Bytes, port otherPort: UInt32) -> Bool {
        guard case .host(let host, let port) = self, port == otherPort, host.characters.count == other.count + 1 else {
            return false
        }
        return host.characters.withUnsafeBytes { Bytes(rebasing: $0.dropLast()).elementsEqual(other) }
    }

    func isSame(as other: RedisPlace) -> Bool {
        guard case .host(let host, let port) = other else { return false }
        return isHost(host, port: port)
    }

    func isHost(_ other: CText, port: UInt32) -> Bool {
        other.characters.withUnsafeBytes { isHost(Bytes(rebasing: $0.dropLast()), port: port) }
    }
}

/// The number that up to nine decimal digits are; nil where it is none, or more than `most`.
func number(_ digits: Slice<Bytes>, atMost most: UInt32) -> UInt32? {
    guard 1...9 ~= digits.count else { return nil }
    var value: UInt32 = 0
    for digit in digits {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        value = value &* 10 &+ UInt32(digit &- UInt8(ascii: "0"))
    }
    return value <= most ? value : nil
}
