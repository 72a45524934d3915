internal import CSKANPQ
package import SKANCore
package import SKANSystem

/// A connection URI or string, as libpq reads it.
package struct PostgresAddress: Sendable {
    private struct Given: Sendable {
        let keyword, value: [UInt8]
    }

    private let parameters: [Given]
    /// To be tried one after the other, at least 1.
    let hosts: Int
    /// Empty: none is known.
    let password: [UInt8]
    /// Of the database, in messages; no password, no user.
    let name: Message

    package static func check(_ url: UnsafePointer<CChar>?) throws(Failure) -> CText {
        guard let url else { throw missing("NULL") }
        if url.pointee == 0 { throw missing("\"\"") }
        return CText(copying: url)
    }

    private static func missing(_ found: StaticString) -> Failure {
        Failure(.invalidArgument, "url: expected a connection URI or string, got \(found)")
    }

    init(_ url: CText) throws(Failure) {
        let parameters = try PostgresAddress.read(url)
        func value(_ keyword: StaticString) -> [UInt8] {
            parameters.first { $0.keyword.elementsEqual(keyword.bytes) }?.value ?? []
        }
        let (host, address, port) = (value("host"), value("hostaddr"), value("port"))
        let database = value("dbname")
        let isURI = url.utf8.starts(with: StaticString("postgres").bytes)
        try PostgresAddress.checkParts(host: host, port: port, database: isURI ? database : [])
        let addresses = PostgresAddress.items(address).count
        let ports = PostgresAddress.items(port).count
        let hosts = host.isEmpty ? addresses : PostgresAddress.items(host).count
        guard address.isEmpty || addresses == hosts, ports == 1 || ports == hosts else {
            throw Failure(
                .invalidArgument,
                "url: expected as many addresses and ports as hosts, got \(hosts) hosts, \(addresses) addresses, \(ports) ports"
            )
        }
        self.parameters = parameters
        self.hosts = hosts
        password = value("password")
        let place = Message(utf8: (host.isEmpty ? address : host) + (port.isEmpty ? [] : [UInt8(ascii: ":")] + port))
        let whole: Message = "postgres://\(place)/\(Message(utf8: database))"
        name = singleLine(whole.utf8.prefix(199), hiding: password, room: 199)
    }

    /// What a session with host number `host` is opened with: keywords and their values.
    func parameters(ofHost host: Int) -> (keywords: TextList, values: TextList) {
        var keywords = TextList()
        var values = TextList()
        for parameter in parameters where !parameter.keyword.elementsEqual(StaticString("client_encoding").bytes) {
            keywords.append(parameter.keyword)
            values.append(value(parameter, ofHost: host))
        }
        for (keyword, value) in [("client_encoding", "UTF8"), ("fallback_application_name", "libskan")]
            as [(StaticString, StaticString)]
        {
            keywords.append(keyword.bytes)
            values.append(value.bytes)
        }
        return (keywords, values)
    }

    private func value(_ parameter: Given, ofHost host: Int) -> [UInt8] {
        let isOfHosts = (["host", "hostaddr", "port"] as [StaticString]).contains {
            parameter.keyword.elementsEqual($0.bytes)
        }
        let items = PostgresAddress.items(parameter.value)
        return isOfHosts && hosts > 1 && items.indices.contains(host) && items.count > 1
            ? [UInt8](items[host]) : parameter.value
    }

    private static func items(_ list: [UInt8]) -> [ArraySlice<UInt8>] {
        list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    }

    private static func read(_ url: CText) throws(Failure) -> [Given] {
        var words: UnsafeMutablePointer<CChar>?
        let read = PQconninfoParse(url.characters, &words)
        defer {
            PQfreemem(words)
            PQconninfoFree(read)
        }
        guard var each = read else { throw unreadable(Message(words).utf8) }
        var parameters: [Given] = []
        while let keyword = each.pointee.keyword {
            if let value = each.pointee.val {
                parameters.append(Given(keyword: Message(keyword).utf8, value: Message(value).utf8))
            }
            each += 1
        }
        return parameters
    }

    /// libpq says what it cannot read in quotes, and that may be a part of the password.
    private static func unreadable(_ words: [UInt8]) -> Failure {
        let quote = UInt8(ascii: "\"")
        var line: [UInt8] = words.isEmpty ? ("out of memory" as Message).utf8 : words
        if let first = words.firstIndex(of: quote), let last = words.lastIndex(of: quote), last > first {
            line.replaceSubrange((first + 1)..<last, with: StaticString("...").bytes)
        }
        line = [UInt8](line.prefix(255).prefix { $0 != UInt8(ascii: "\n") })
        return Failure(
            .invalidArgument,
            "url: expected a connection URI or string of libpq, \"postgres://user@host/database\": \(Message(utf8: line))"
        )
    }

    /// A password with a character that should have been encoded ends up in other parts of a URI, which libpq and the
    /// system name in their messages.
    private static func checkParts(host: [UInt8], port: [UInt8], database: [UInt8]) throws(Failure) {
        let at = UInt8(ascii: "@")
        var wrong: StaticString?
        if !port.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ",") }) {
            wrong = "port: expected a number"
        } else if host.dropFirst().contains(at) {  // a first one is an abstract socket's
            wrong = "host: expected a name without @"
        } else if database.contains(at) {
            wrong = "database: expected a name without @"
        }
        guard let wrong else { return }
        throw Failure(
            .invalidArgument, "url: \(wrong); in a user or password, write / as %2F, : as %3A and @ as %40")
    }
}
