internal import CSKANSystem
package import SKANCore
package import SKANSystem

/// The address of a server, or of nodes of a cluster, and the user to log in as.
package struct RedisAddress: Sendable {
    /// The place of the server, or the places of some nodes of the cluster.
    private(set) var places: [RedisPlace] = []
    private(set) var isCluster = false
    private(set) var user: [UInt8]?
    private(set) var password: RedisPassword?
    private(set) var database: UInt32 = 0
    /// Nil for a connection without TLS.
    private(set) var tls: RedisTLSFiles?

    private var isUnix = false

    static var greatestDatabase: UInt32 { 65_535 }
    static var mostPlaces: Int { 64 }
    private static var expected: StaticString {
        """
        expected redis://[user[:password]@]host[:port][/database], rediss:// for TLS, redis+cluster:// or \
        rediss+cluster:// with host[:port],host[:port]..., or redis+unix:///path[?db=N]
        """
    }

    /// Messages never contain the URL's user and password.
    package init(_ url: Bytes) throws(Failure) {
        guard let start = readScheme(url) else {
            throw invalid("url: unknown scheme: \(RedisAddress.expected)")
        }
        var rest = url[start...]
        // The user ends at the last @, because a password may contain an @ that was not percent-encoded.
        let authority = rest.prefix { !isOneOf("/?#", $0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            try readUser(rest[..<at])
            rest = rest[(at + 1)...]
        }
        if isUnix { try readPath(rest) } else { try readHosts(rest) }
    }

    /// The address in messages, without user and password.
    var name: Message {
        if case .path(let path) = places.first { return "redis+unix://\(path.message)?db=\(database)" }
        var name: Message = tls == nil ? "redis" : "rediss"
        name = isCluster ? "\(name)+cluster://" : "\(name)://"
        for index in places.indices {
            name = index == 0 ? "\(name)\(places[index].name)" : "\(name),\(places[index].name)"
        }
        return "\(name)/\(database)"
    }

    // MARK: Parts

    /// Returns the index after the scheme, or nil if the scheme is unknown.
    private mutating func readScheme(_ url: Bytes) -> Int? {
        if let start = afterScheme(url, "redis://") { return start }
        if let start = afterScheme(url, "redis+cluster://") ?? afterScheme(url, "rediss+cluster://") {
            isCluster = true
            if afterScheme(url, "rediss") != nil { tls = RedisTLSFiles() }
            return start
        }
        if let start = afterScheme(url, "rediss://") {
            tls = RedisTLSFiles()
            return start
        }
        isUnix = true
        return afterScheme(url, "redis+unix://") ?? afterScheme(url, "unix://")
    }

    private mutating func readUser(_ part: Slice<Bytes>) throws(Failure) {
        let colon = part.firstIndex(of: UInt8(ascii: ":")) ?? part.endIndex
        if colon > part.startIndex { user = try decoded(part[..<colon], "user") }
        let secret = part[colon...].dropFirst()
        if !secret.isEmpty { password = try decodedPassword(secret) }
    }

    /// Reads "host[:port][/database]", or for a cluster "host[:port][,host[:port]...][/]"; with TLS "?cacert=...&..."
    /// may follow.
    private mutating func readHosts(_ rest: Slice<Bytes>) throws(Failure) {
        let authority = rest.prefix { !isOneOf("/?#", $0) }
        var hosts = authority
        while let comma = hosts.firstIndex(of: UInt8(ascii: ",")), isCluster {
            try readHost(hosts[..<comma])
            hosts = hosts[(comma + 1)...]
        }
        try readHost(hosts)
        var end = rest[authority.endIndex...]
        if end.first == UInt8(ascii: "/") {
            let database = end.dropFirst().prefix { tls == nil || $0 != UInt8(ascii: "?") }
            end = end[database.endIndex...]
            if !database.isEmpty { try readDatabase(database) }
        }
        if end.first == UInt8(ascii: "?"), tls != nil { return try readFiles(end.dropFirst()) }
        if let mark = end.first {
            throw invalid("url: \(Message(utf8: [mark])) after the host: \(RedisAddress.expected)")
        }
    }

    /// Reads "host[:port]".
    private mutating func readHost(_ part: Slice<Bytes>) throws(Failure) {
        var host = part.prefix { $0 != UInt8(ascii: ":") }
        var after = part[host.endIndex...]
        if part.first == UInt8(ascii: "[") {
            guard let bracket = part.firstIndex(of: UInt8(ascii: "]")) else {
                throw invalid("url: host: expected ] after an IPv6 address")
            }
            host = part[..<bracket].dropFirst()
            after = part[(bracket + 1)...]
        }
        if host.isEmpty { throw invalid("url: no host: \(RedisAddress.expected)") }
        if places.count == RedisAddress.mostPlaces {
            throw invalid("url: expected at most \(RedisAddress.mostPlaces) hosts")
        }
        let port = try readPort(after)
        places.append(.host(CText(try decoded(host, "host")), port: port))
    }

    /// Reads "name=value[&name=value...]"; no name may be repeated.
    private mutating func readFiles(_ query: Slice<Bytes>) throws(Failure) {
        var files = RedisTLSFiles()
        for part in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals + 1 < part.endIndex else {
                throw invalid("url: after the ?: expected name=value")
            }
            let value = CText(try decoded(part[(equals + 1)...], "a value after the ?"))
            guard files.set(Bytes(rebasing: part[..<equals]), value) else {
                throw invalid("url: after the ?: expected cacert, cert, key and sni, each once")
            }
        }
        guard (files.certificate == nil) == (files.key == nil) else {
            throw invalid("url: after the ?: expected cert and key together")
        }
        tls = files
    }

    /// Reads "/path[?db=N]".
    private mutating func readPath(_ rest: Slice<Bytes>) throws(Failure) {
        let part = rest.prefix { !isOneOf("?#", $0) }
        guard part.count > 1, part.first == UInt8(ascii: "/") else {
            throw invalid("url: no absolute path of a socket: \(RedisAddress.expected)")
        }
        let path = try decoded(part, "path")
        let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        if path.count > most {
            throw invalid("url: path: expected at most \(most) bytes for a Unix socket, got \(path.count)")
        }
        places = [.path(CText(path))]
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
        if isCluster && number > 0 { throw invalid("url: database: a cluster has only database 0") }
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

/// Returns the number of bytes of `scheme` if the text begins with it, in letters of either case; otherwise nil.
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
