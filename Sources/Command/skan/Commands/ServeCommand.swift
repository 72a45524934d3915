import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem

extension Subcommand {
    static let serve = Subcommand(
        "serve",
        summary: "serves conversion values over HTTP, and receives postbacks",
        """
        Serves conversion values over HTTP by conversion models of your own: for SKAN 4 at /api/v2/conversion_value, \
        for SKAN 3 at /api/v1/conversion_value. Without a model of SKAN 3 its path is the published test endpoint: 0, \
        1, 2, then no value. With --postbacks it also receives postbacks and tells partners of them. With --schema-key \
        a network reads what the values of an app mean at /schemas/BUNDLE, as rows of skan model export.

        /healthz answers 200 while the server is alive. /readyz answers 200 while every store can be read and its last \
        write succeeded; a failed write counts for 30 seconds. /metrics is for Prometheus. Each store has threads and \
        a queue of its own, so one that hangs delays nothing else.

        Users are those of an app with an idfv, idfa, sing, sdid or custom_user_id; the first --model is for new \
        users. From a full store a tenth of the users is dropped at a time. \
        Lines of the log that nobody reads are dropped and counted. --check listens nowhere and writes nothing; its \
        exit code is 0 if all is well, 2 if an option is wrong, else 1.

        There is no TLS: put a proxy in front of the server if it is reached from outside the machine. Requests that \
        others might read differently, for instance with two lengths or a bare LF, are answered 400.
        """,
        [
            HelpSection(
                title: "Who may ask",
                text: """
                    The SOURCE of a key is env:NAME, or file:PATH of a file that only its owner may read. Give the old \
                    and the new key while an app changes it. Without --key, --any-key is needed with --trusted-proxy, \
                    and if --listen is not a loopback address. Proxies are not limited; the client is the last address \
                    in X-Forwarded-For that is not a proxy's. A connection above a limit is answered 503 with \
                    Retry-After and closed; once a minute the log says how many there were.
                    """),
            .receivedPostbacks,
            HelpSection(
                title: "Signals",
                text: """
                    After SIGTERM or SIGINT /readyz is answered 503 and the server serves on for the time of --drain. \
                    Then it answers what has arrived and ends with exit code 0, or with 1 if something still hangs \
                    after the time of --grace. Another SIGTERM ends the time of --drain, or after it the server at \
                    once. After SIGHUP the server reads keys, tokens, networks and models again: all of them, or none \
                    if anything is wrong with one; the log says what changed or what is wrong. Options and the \
                    environment stay those of the start, so put a key that will change into a file.

                    A user who began with a model that is no longer given stays with it: the server keeps models in \
                    --store, where other servers find them too, and without one in memory. --check tells how many \
                    users there are.

                    What waits for a partner or model that this server does not know is given up after a \
                    day in which no other server on the store reported it either; skan outbox lists it.
                    """),
            .stores,
            .serveExamples,
            .serveFiles,
            .serveEnvironment,
        ],
        values: Serving(),
        options: .modelsAndKeys, .network, .limits, .running, .postbacks, .received, .refused, .partners,
        reportsProblems: true
    ) { given throws(CommandEnd) in
        let signals = ServerSignals()
        let serving = given.values
        _ = given.problems.noting { () throws(CommandEnd) in try serving.postbacks.check() }
        for problem in lonelyOptions(given) { given.problems.add(problem) }
        _ = given.problems.noting { () throws(CommandEnd) in try serving.takeSockets() }
        _ = given.problems.noting { () throws(CommandEnd) in try serving.checkKeys() }
        if let files = tooFewFiles() {
            given.problems.add(
                .complaint("serve", "expected at least \(fewestFiles) open files (ulimit -n), got \(files)"))
        }
        if serving.isCheck {
            signals.release()
            return serving.check(given.problems)
        }
        try given.problems.throwFirst()
        try serving.serve(until: signals)
        return .fine
    }
}

extension Serving: TakesPostbacks {}

extension OptionGroup where Values == Serving {
    fileprivate static var modelsAndKeys: OptionGroup {
        OptionGroup(
            "Models, keys and users",
            .value(
                "model", "[APP=]FILE",
                "A model for every app; the first is for new users. With APP it only decodes that app's postbacks.",
                isRepeatable: true
            ) { $0.sources.append($1.modelSource) },
            .value("app", "BUNDLE=FILE", "A model for this app alone.", isRepeatable: true) {
                values, given throws(CommandEnd) in
                guard let (app, file) = given.pair else { throw given.refused(expected: "BUNDLE=FILE") }
                values.sources.append(given.source(.model(app: app), file))
            },
            .value(
                "key", "[BUNDLE=]SOURCE", "The key that requests carry as \"a\", for all apps or this one.",
                isRepeatable: true
            ) { values, given throws(CommandEnd) in try values.addKey(given) },
            .value(
                "schema-key", "NETWORK=SOURCE", "The key with which a network reads models at /schemas/BUNDLE.",
                isRepeatable: true
            ) { values, given throws(CommandEnd) in try values.addSchemaKey(given) },
            .value(
                "schema-map", "NETWORK=FILE", "A network's names of events, as of skan model export.",
                isRepeatable: true
            ) { values, given throws(CommandEnd) in
                guard let (network, file) = given.pair else { throw given.refused(expected: "NETWORK=FILE") }
                values.sources.append(given.source(.schemaMap(network: network), file))
            },
            .flag("any-key", { $1(&$0.takesAnyKey) }, "Accepts any key."),
            .value("store", "STORE", "Keeps users' counts of sessions and events.", byDefault: "in memory") {
                $0.storeURL = $1.text
            },
            .number(
                "max-users", "N", 1...100_000_000, { $1(&$0.mostUsers) },
                "Users whose counts are kept; beyond that the least recently seen are dropped."))
    }

    fileprivate static var network: OptionGroup {
        OptionGroup(
            "Listening",
            .value(
                "listen", "ADDR:PORT", "Where the server listens; port 0: any. Or unix:PATH, a socket that it makes.",
                byDefault: "127.0.0.1:8080"
            ) { values, given throws(CommandEnd) in values.http.places = [try given.listeningPlace()] },
            .value(
                "admin", "ADDR:PORT",
                "Where /healthz, /readyz and /metrics are, on a thread of their own; or unix:PATH."
            ) { values, given throws(CommandEnd) in values.listenForPages(at: [try given.listeningPlace()]) },
            .value(
                "socket-mode", "MODE", "The mode of the file of a Unix socket, in octal digits.", byDefault: "660"
            ) { values, given throws(CommandEnd) in values.http.socketMode = try given.mode() },
            .number(
                "threads", "N", 1...256, { $1(&$0.threads) }, "Threads that serve connections.",
                byDefault: "one for each processor"),
            .value(
                "trusted-proxy", "ADDR[/BITS]",
                "A proxy's address, a network of proxies, or unix: for one that comes through a Unix socket.",
                isRepeatable: true
            ) { values, given throws(CommandEnd) in
                guard values.http.proxies.add(given.utf8) else {
                    throw given.refused(
                        expected: "ADDRESS, ADDRESS/BITS or unix:, at most \(TrustedProxies.most) times")
                }
            })
    }

    fileprivate static var limits: OptionGroup {
        OptionGroup(
            "Limits",
            .number(
                "rate", "N", 0...1_000_000, { $1(&$0.http.rate) },
                "Requests a second from each client; more are answered 429; 0 is no limit."),
            .number(
                "max-connections", "N", 1...1_000_000, { $1(&$0.http.connections) },
                "Connections at a time; from nine tenths on, those that were idle longest are closed."),
            .number(
                "max-connections-per-peer", "N", 0...1_000_000, { $1(&$0.http.connectionsPerPeer) },
                "Connections from one address, in IPv6 from one /64; 0 is no limit."),
            .number(
                "max-connection-age", "SEC", 1...1_000_000, { $1(&$0.http.ageSeconds) },
                "An older connection is closed after its next answer."),
            .number(
                "idle-timeout", "SEC", 1...3600, { $1(&$0.http.idleSeconds) },
                "How long a client may be silent; a request may take twice as long to arrive."),
            .number(
                "max-header", "BYTES", 4096...1_048_576, { $1(&$0.http.headerBytes) },
                "The size of a request's line and headers."),
            .number("max-body", "BYTES", 1024...16_777_216, { $1(&$0.bodyBytes) }, "The size of a request's body."),
            .number(
                "store-threads", "N", 1...256, { $1(&$0.storeThreads) },
                "Requests that each store works on at a time; so many postbacks are saved together."),
            .number(
                "store-queue", "N", 1...100_000, { $1(&$0.storeQueue) },
                "Requests that wait for each store; more are answered 503 at once."))
    }

    fileprivate static var running: OptionGroup {
        OptionGroup(
            "Running",
            .choice(
                "log", [("nothing", .nothing), ("errors", .errors), ("requests", .requests)], { $1(&$0.logs) },
                "What standard error gets, as JSON lines, never with keys or ids of users."),
            .choice(
                "log-address", [("full", .full), ("net", .net), ("none", .none)], { $1(&$0.loggedAddress) },
                "How lines of requests show clients; net is the /24 in IPv4 and the /64 in IPv6."),
            .number(
                "log-sample", "N", 1...1_000_000, { $1(&$0.logSample) },
                "Of so many requests answered below 400, one has a line, which says so."),
            .number(
                "drain", "SEC", 0...3600, { $1(&$0.drainSeconds) },
                "Time after SIGTERM to serve on, with /readyz answered 503, until balancers send no more requests."),
            .number(
                "grace", "SEC", 0...3600, { $1(&$0.graceSeconds) },
                "Time after that to answer what has arrived. Then the server ends, whatever hangs."),
            .flag("check", { $1(&$0.isCheck) }, "Says all that is wrong with options, files and stores, and ends."),
            .value("clock", "FILE", "For tests: eight bytes with the time in microseconds since 1970.") {
                values, given throws(CommandEnd) in
                do throws(Failure) { values.clock = .file(try VirtualClock(given.text)) } catch {
                    throw .complaint(given.option, "\(given.message): \(error.message)")
                }
            })
    }
}

extension Serving {
    /// Adds the source of a key: "env:NAME" for all apps, or "com.example.game=file:PATH" for one.
    fileprivate func addKey(_ given: GivenValue) throws(CommandEnd) {
        let text = given.utf8
        let schemes: [StaticString] = ["env:", "file:"]
        let pair = schemes.contains { text.starts(with: $0.bytes) } ? nil : given.pair
        if sources.keyCount == EndpointKeys.most { throw given.refused("expected at most \(EndpointKeys.most)") }
        sources.append(given.source(.key(app: pair?.before), pair?.behind ?? text))
    }

    fileprivate func addSchemaKey(_ given: GivenValue) throws(CommandEnd) {
        guard let (network, source) = given.pair else { throw given.refused(expected: "NETWORK=SOURCE") }
        if sources.schemaKeyCount == EndpointKeys.most { throw given.refused("expected at most \(EndpointKeys.most)") }
        sources.append(given.source(.schemaKey(network: network), source))
    }

    /// Checks --key and --any-key: one of them is needed if others can reach the server, and both together are an
    /// error. An invalid address is refused where it is used.
    fileprivate func checkKeys() throws(CommandEnd) {
        let hasKeys = sources.keyCount > 0
        if hasKeys && takesAnyKey { throw .usage(what: "--any-key", why: "expected --key or --any-key, got both") }
        if hasKeys || takesAnyKey { return }
        for case let address? in http.places.map({ $0.reachable }) {
            throw .usage(
                what: "--listen", why: "expected --key or --any-key, because other machines can reach \(address)")
        }
        if !http.proxies.isEmpty {
            throw .usage(
                what: "--trusted-proxy",
                why: "expected --key or --any-key, because others reach the server through the proxy")
        }
    }
}

extension GivenValue {
    /// The source of a model that is given without a time. A model for certain apps decodes their postbacks but is not
    /// served, since requests name an app by another id than postbacks do.
    var modelSource: ConfigurationSource {
        let model = appModelFile
        if case .these = model.apps { return source(.installModel(model.apps, from: model.start), model.file) }
        return source(.model(app: nil, apps: model.apps), model.file)
    }

    /// Parses a file mode, such as "660".
    fileprivate func mode() throws(CommandEnd) -> UInt32 {
        let digits = utf8
        guard 3...4 ~= digits.count, digits.allSatisfy({ 0x30...0x37 ~= $0 }) else {
            throw refused(expected: "a mode of three or four octal digits")
        }
        return digits.reduce(0) { $0 << 3 | UInt32($1 & 7) } & 0o777
    }

    /// Parses a place to listen at: "127.0.0.1:8080", "[::1]:8080", "8080" or "unix:/run/skan.sock".
    fileprivate func listeningPlace() throws(CommandEnd) -> ListeningPlace {
        let text = utf8
        let scheme = ("unix:" as StaticString).bytes
        if text.starts(with: scheme) {
            let path = [UInt8](text.dropFirst(scheme.count))
            guard 1...ListeningPlace.pathBytes ~= path.count, path[0] != UInt8(ascii: "@") else {
                throw refused(expected: "unix: and a path of at most \(ListeningPlace.pathBytes) bytes")
            }
            return .unix(path)
        }
        var port = text
        var host: Message = "127.0.0.1"
        if let colon = text.lastIndex(of: UInt8(ascii: ":")) {
            var address = text[..<colon]
            if address.count >= 2, address.first == UInt8(ascii: "["), address.last == UInt8(ascii: "]") {
                address = address.dropFirst().dropLast()
            }
            // No address has 64 or more bytes.
            guard address.count < 64 else { throw refused(expected: "ADDRESS:PORT") }
            host = Message(utf8: [UInt8](address))
            port = [UInt8](text[(colon + 1)...])
        }
        return .tcp(host, port: UInt16(truncatingIfNeeded: try number(0...65_535, in: port)))
    }
}
