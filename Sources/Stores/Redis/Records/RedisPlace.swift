internal import CSKANSystem
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

    /// Parses "host:port", where an IPv6 address may be in brackets. Returns nil for any other text.
    init?(named name: Slice<Bytes>) {
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")),
            let port = number(name[(colon + 1)...], atMost: 65_535), port > 0
        else { return nil }
        var host = name[..<colon]
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        guard 1...255 ~= host.count, !host.contains(0) else { return nil }
        self = .host(CText(host), port: port)
    }

    /// Nil for a Unix socket.
    var host: CText? {
        if case .host(let host, _) = self { return host }
        return nil
    }

    /// Creates the place of a node that the node at `teller` has named. An empty host or "?" stands for the host of
    /// `teller`. Returns nil if the place is not valid.
    init?(host told: Bytes?, port: UInt32, from teller: RedisPlace) {
        if let told, !told.isEmpty, !told.elementsEqual([UInt8(ascii: "?")]) {
            if told.count > 255 || told.contains(0) { return nil }
            self = .host(CText(told), port: port)
        } else {
            guard let own = teller.host else { return nil }
            self = .host(own, port: port)
        }
    }

    /// Compares this place with another one, for sorting: the result is negative, 0 or positive. Two Unix sockets are
    /// never the same place.
    func order(_ other: RedisPlace) -> Int {
        guard case .host(let host, let port) = self else { return -1 }
        guard case .host(let otherHost, let otherPort) = other else { return 1 }
        return port == otherPort ? order(host.characters, otherHost.characters) : Int(port) - Int(otherPort)
    }

    private func order(_ host: [CChar], _ other: [CChar]) -> Int {
        host.count == other.count ? Int(memcmp(host, other, host.count)) : host.count - other.count
    }

    func isSame(as other: RedisPlace) -> Bool { order(other) == 0 }

    func isOnHost(of other: RedisPlace) -> Bool {
        guard let host, let other = other.host else { return false }
        return order(host.characters, other.characters) == 0
    }
}

/// Reads a number of up to nine decimal digits. Returns nil for any other text, or if the number is more than `most`.
func number(_ digits: Slice<Bytes>, atMost most: UInt32) -> UInt32? {
    guard 1...9 ~= digits.count else { return nil }
    var value: UInt32 = 0
    for digit in digits {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        value = value &* 10 &+ UInt32(digit &- UInt8(ascii: "0"))
    }
    return value <= most ? value : nil
}
