internal import CSKANSystem
package import SKANCore
package import SKANSystem

/// Where a server is, and as whom it is spoken to.
package struct RedisAddress: Sendable {
    enum Place: Sendable {
        /// Of a Unix socket.
        case path(CText)
        case host(CText, port: UInt32)
    }

    private(set) var place = Place.path(CText([]))
    private(set) var user: [UInt8]?
    private(set) var password: RedisPassword?
    private(set) var database: UInt32 = 0

    static var greatestDatabase: UInt32 { 65_535 }
    private static var expected: StaticString {
        "expected redis://[user[:password]@]host[:port][/database] or redis+unix:///path[?db=N]"
    }

    /// Reads a URL; messages have nothing of its user and password.
    package init(_ url: Bytes) throws(Failure) {
        if afterScheme(url, "rediss://") != nil {
            throw invalid(
                "url: rediss:// (TLS) is not spoken by this library; use a TLS tunnel on this machine (stunnel, Envoy) with redis://127.0.0.1 or redis+unix://"
            )
        }
        let host = afterScheme(url, "redis://")
        guard let start = host ?? afterScheme(url, "redis+unix://") ?? afterScheme(url, "unix://") else {
            throw invalid("url: another scheme: \(RedisAddress.expected)")
        }
        var rest = url[start...]
        // The last one: a password may have an @ that nobody encoded.
        let authority = rest.prefix { !isOneOf("/?#", $0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            try readUser(rest[..<at])
            rest = rest[(at + 1)...]
        }
        if host != nil { try readHost(rest) } else { try readPath(rest) }
    }

    /// For messages: without user and password.
    var name: Message {
        switch place {
        case .path(let path):
            return "redis+unix://\(path.message)?db=\(database)"
        case .host(let host, let port):
            let name = host.message
            if name.utf8.contains(UInt8(ascii: ":")) { return "redis://[\(name)]:\(port)/\(database)" }
            return "redis://\(name):\(port)/\(database)"
        }
    }

    // MARK: Parts

    private mutating func readUser(_ part: Slice<Bytes>) throws(Failure) {
        let colon = part.firstIndex(of: UInt8(ascii: ":")) ?? part.endIndex
        if colon > part.startIndex { user = try decoded(part[..<colon], "user") }
        let secret = part[colon...].dropFirst()
        if !secret.isEmpty { password = try decodedPassword(secret) }
    }

    /// host[:port][/database]
    private mutating func readHost(_ rest: Slice<Bytes>) throws(Failure) {
        let authority = rest.prefix { !isOneOf("/?#", $0) }
        var host = authority.prefix { $0 != UInt8(ascii: ":") }
        var after = authority[host.endIndex...]
        if authority.first == UInt8(ascii: "[") {
            guard let bracket = authority.firstIndex(of: UInt8(ascii: "]")) else {
                throw invalid("url: host: expected ] after an address")
            }
            host = authority[..<bracket].dropFirst()
            after = authority[(bracket + 1)...]
        }
        if host.isEmpty { throw invalid("url: no host: \(RedisAddress.expected)") }
        let port = try readPort(after)
        place = .host(CText(try decoded(host, "host")), port: port)
        let end = rest[authority.endIndex...]
        if let mark = end.first, mark != UInt8(ascii: "/") {
            throw invalid("url: \(Message(utf8: [mark])) after the host: \(RedisAddress.expected)")
        }
        if end.count > 1 { try readDatabase(end.dropFirst()) }
    }

    /// /path[?db=N]
    private mutating func readPath(_ rest: Slice<Bytes>) throws(Failure) {
        let part = rest.prefix { !isOneOf("?#", $0) }
        guard part.count > 1, part.first == UInt8(ascii: "/") else {
            throw invalid("url: no absolute path of a socket: \(RedisAddress.expected)")
        }
        let path = try decoded(part, "path")
        let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        if path.count > most {
            throw invalid("url: path: a Unix socket's has at most \(most) bytes, this one \(path.count)")
        }
        place = .path(CText(path))
        let end = rest[part.endIndex...]
        if end.isEmpty { return }
        guard let digits = afterScheme(Bytes(rebasing: end), "?db=") else {
            throw invalid("url: after the path: expected ?db= or nothing")
        }
        try readDatabase(end.dropFirst(digits))
    }

    private mutating func readDatabase(_ digits: Slice<Bytes>) throws(Failure) {
        guard let number = number(digits, atMost: RedisAddress.greatestDatabase) else {
            throw invalid("url: database: expected a number from 0 to \(RedisAddress.greatestDatabase)")
        }
        database = number
    }
}

private func invalid(_ message: Message) -> Failure { Failure(.invalidArgument, message) }

private func readPort(_ part: Slice<Bytes>) throws(Failure) -> UInt32 {
    if part.isEmpty { return 6379 }
    guard part.first == UInt8(ascii: ":"), let port = number(part.dropFirst(), atMost: 65_535), port > 0 else {
        throw invalid("url: port: expected : and a number from 1 to 65535")
    }
    return port
}

private func number(_ digits: Slice<Bytes>, atMost most: UInt32) -> UInt32? {
    guard 1...9 ~= digits.count else { return nil }
    var value: UInt32 = 0
    for digit in digits {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        value = value &* 10 &+ UInt32(digit &- UInt8(ascii: "0"))
    }
    return value <= most ? value : nil
}

/// How many bytes a text has at its beginning, in letters of either case; nil where it is another.
private func afterScheme(_ text: Bytes, _ scheme: StaticString) -> Int? {
    let count = scheme.utf8CodeUnitCount
    guard text.count >= count else { return nil }
    for index in 0..<count {
        let byte = text[index]
        let lower = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        if lower != scheme.utf8Start[index] { return nil }
    }
    return count
}

private func isOneOf(_ marks: StaticString, _ byte: UInt8) -> Bool {
    marks.bytes.contains(byte)
}

private func decoded(_ part: Slice<Bytes>, _ what: StaticString) throws(Failure) -> [UInt8] {
    guard let text = PercentCoding.decode(Bytes(rebasing: part)), !text.contains(0) else { throw unfit(what) }
    return text
}

private func decodedPassword(_ part: Slice<Bytes>) throws(Failure) -> RedisPassword {
    var isWellFormed = false
    let password = RedisPassword(atMost: part.count) { memory in
        let decoded = PercentCoding.decode(Bytes(rebasing: part), into: memory, plusIsSpace: false)
        isWellFormed = decoded.isWellFormed
        return decoded.count
    }
    guard isWellFormed, !password.bytes.contains(0) else { throw unfit("password") }
    return password
}

private func unfit(_ what: StaticString) -> Failure {
    invalid("url: \(what): expected % and two hexadecimal digits, other than 00")
}
