internal import CSKANPQ
package import SKANCore
package import SKANSystem

/// A connection URI or string, as libpq reads it.
package struct PostgresAddress: Sendable {
    private struct Given: Sendable {
        let keyword, value: [UInt8]
    }

    private let parameters: [Given]
    /// The hosts to try one after the other; there is at least one.
    let hosts: [PostgresHost]
    /// Whether a standby is preferred. If there is none, any other server is taken.
    let prefersStandby: Bool
    /// Whether the URI says that a connection pooler lends the sessions.
    let isPooled: Bool
    /// Empty if none is known.
    let password: [UInt8]
    /// The database's name for messages, without user and password.
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
        let (url, isPooled) = try withoutPooling(url)
        let parameters = try PostgresAddress.read(url)
        func value(_ keyword: StaticString) -> [UInt8] {
            parameters.first { $0.keyword.elementsEqual(keyword.bytes) }?.value ?? []
        }
        let (host, address, port) = (value("host"), value("hostaddr"), value("port"))
        let database = value("dbname")
        let isURI = url.utf8.starts(with: StaticString("postgres").bytes)
        try PostgresAddress.checkParts(host: host, port: port, database: isURI ? database : [])
        let addresses = PostgresHost.items(address).count
        let ports = PostgresHost.items(port).count
        let hosts = host.isEmpty ? addresses : PostgresHost.items(host).count
        // Without a host in the URL, libpq takes the hosts from elsewhere, such as the environment.
        guard hosts == 0 || ((addresses == 0 || addresses == hosts) && (ports <= 1 || ports == hosts)) else {
            throw Failure(
                .invalidArgument,
                """
                url: expected as many addresses and ports as hosts, got \(hosts) hosts, \(addresses) addresses, \
                \(ports) ports
                """
            )
        }
        self.parameters = parameters
        self.isPooled = isPooled
        let effective = PostgresAddress.inEffect(parameters)
        self.hosts = PostgresHost.all(
            hosts: effective.host, addresses: effective.address, ports: effective.port)
        prefersStandby = effective.wanted.elementsEqual(StaticString("prefer-standby").bytes)
        password = value("password")
        let place = Message(utf8: (host.isEmpty ? address : host) + (port.isEmpty ? [] : [UInt8(ascii: ":")] + port))
        let whole: Message = "postgres://\(place)/\(Message(utf8: database))"
        name = singleLine(whole.utf8.prefix(199), hiding: password, room: 199)
    }

    /// Returns the keywords and values with which libpq opens a session with a host. `wanted` is the kind of server
    /// that libpq must check for; nil for the kind that the URI asks for.
    func parameters(
        of host: PostgresHost, wanted: StaticString? = nil
    ) -> (keywords: TextList, values: TextList) {
        var keywords = TextList()
        var values = TextList()
        func add(_ keyword: some Sequence<UInt8>, _ value: some Sequence<UInt8>) {
            keywords.append(keyword)
            values.append(value)
        }
        // If a keyword is given several times, libpq takes the last value.
        for parameter in parameters where !parameter.keyword.elementsEqual(StaticString("client_encoding").bytes) {
            add(parameter.keyword, parameter.value)
        }
        if let name = host.name { add(StaticString("host").bytes, name) }
        if let address = host.address { add(StaticString("hostaddr").bytes, address) }
        if let port = host.port { add(StaticString("port").bytes, port) }
        if let wanted { add(StaticString("target_session_attrs").bytes, wanted.bytes) }
        add(StaticString("client_encoding").bytes, StaticString("UTF8").bytes)
        add(StaticString("fallback_application_name").bytes, StaticString("libskan").bytes)
        return (keywords, values)
    }

    /// Returns the hosts to which libpq would connect with these parameters and with those from the environment and
    /// from a service file. libpq reports only the hosts of a connection. So this creates a connection with an illegal
    /// parameter, which makes it fail before it connects to a host.
    private static func inEffect(
        _ parameters: [Given]
    ) -> (host: [UInt8], address: [UInt8], port: [UInt8], wanted: [UInt8]) {
        var keywords = TextList()
        var values = TextList()
        for parameter in parameters {
            keywords.append(parameter.keyword)
            values.append(parameter.value)
        }
        keywords.append(StaticString("sslmode").bytes)
        values.append(StaticString("none").bytes)
        let link = keywords.withPointers { keywords in
            values.withPointers { values in PQconnectStartParams(keywords, values, 0) }
        }
        let read = PQconninfo(link)
        defer {
            PQconninfoFree(read)
            PQfinish(link)
        }
        let found = given(read)
        func value(_ keyword: StaticString) -> [UInt8] {
            (found.last { $0.keyword.elementsEqual(keyword.bytes) }
                ?? parameters.last { $0.keyword.elementsEqual(keyword.bytes) })?.value ?? []
        }
        return (value("host"), value("hostaddr"), value("port"), value("target_session_attrs"))
    }

    private static func read(_ url: CText) throws(Failure) -> [Given] {
        var words: UnsafeMutablePointer<CChar>?
        let read = PQconninfoParse(url.characters, &words)
        defer {
            PQfreemem(words)
            PQconninfoFree(read)
        }
        guard read != nil else { throw unreadable(Message(words).utf8) }
        return given(read)
    }

    private static func given(_ read: UnsafeMutablePointer<PQconninfoOption>?) -> [Given] {
        guard var each = read else { return [] }
        var parameters: [Given] = []
        while let keyword = each.pointee.keyword {
            if let value = each.pointee.val {
                parameters.append(Given(keyword: Message(keyword).utf8, value: Message(value).utf8))
            }
            each += 1
        }
        return parameters
    }

    /// The error for a URI that libpq cannot read. libpq quotes the part that it cannot read, which may belong to the
    /// password, so the quotation is left out.
    private static func unreadable(_ words: [UInt8]) -> Failure {
        let quote = UInt8(ascii: "\"")
        var line: [UInt8] = words.isEmpty ? ("out of memory" as Message).utf8 : words
        if let first = words.firstIndex(of: quote), let last = words.lastIndex(of: quote), last > first {
            line.replaceSubrange((first + 1)..<last, with: StaticString("...").bytes)
        }
        line = [UInt8](line.prefix(255).prefix { $0 != UInt8(ascii: "\n") })
        return Failure(
            .invalidArgument,
            """
            url: expected a connection URI or string of libpq, \"postgres://user@host/database\": \(Message(utf8: line))
            """
        )
    }

    /// Throws if parts of the URI seem to contain the end of a password. A password with a character that should have
    /// been percent-encoded continues in other parts, which libpq and the system quote in messages.
    private static func checkParts(host: [UInt8], port: [UInt8], database: [UInt8]) throws(Failure) {
        let at = UInt8(ascii: "@")
        var wrong: StaticString?
        if !port.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ",") }) {
            wrong = "port: expected a number"
        } else if host.dropFirst().contains(at) {  // a leading @ means an abstract socket
            wrong = "host: expected a name without @"
        } else if database.contains(at) {
            wrong = "database: expected a name without @"
        }
        guard let wrong else { return }
        throw Failure(
            .invalidArgument, "url: \(wrong); in a user or password, write / as %2F, : as %3A and @ as %40")
    }
}
