internal import SKANCommandOutput
internal import SKANCommandServer
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let serve = Subcommand(
        "serve", arguments: "[OPTION]...",
        summary: "answers conversion-value requests over HTTP, by models of one's own",
        help: """
            The conversion-value endpoint, for SKAN 4 (/api/v2/conversion_value) and SKAN 3
            (/api/v1/conversion_value), deciding by conversion models. Without a model of
            SKAN 3 its path is the published test endpoint: 0, 1, 2, then no value.
            /healthz answers 200 while the server is alive, /readyz while each store can be
            read and its last write did not fail, /metrics is for Prometheus.
            There is no TLS here: put a proxy in front of it where it leaves the machine.

              --model FILE          a model for every app; the first is for new users, the
                                    others for those who began on them
              --app BUNDLE=FILE     a model for this app alone
              --key [BUNDLE=]SOURCE the key that requests carry as a, of all apps or of this one
                                    alone: env:NAME or file:PATH, a file that its owner alone
                                    may read; again for each, or for the next key of the app
              --any-key             any key will do. Without --key this is asked for where
                                    --listen is not loopback, and with --trusted-proxy
              --store STORE         keeps what requests do not tell: counts of sessions and
                                    events, by app and idfv or idfa; default: in memory
              --max-users N         users whose counts are kept, in memory or in the store;
                                    default 1000000; beyond that the least recently seen are
                                    dropped, from a store a tenth at a time
              --listen ADDR:PORT    default 127.0.0.1:8080; port 0 is any free one
              --admin ADDR:PORT     /healthz, /readyz and /metrics are there, on a thread of
                                    their own, and no longer where all others are
              --threads N           that have the connections; default: one for each processor
              --store-threads N     requests that each store works on at a time, postbacks
                                    that are stored together; default 32
              --store-queue N       requests that wait for a store; others are answered 503
                                    at once; default 256
              --max-connections N   default 1024; when nine tenths are taken, those that are
                                    idle the longest are ended first
              --max-connections-per-peer N
                                    of one address, in IPv6 one /64; default 32, twice as many
                                    as libskan's HTTP transport opens; 0 is no limit.
                                    Connections above a limit are answered 503 with
                                    Retry-After; once a minute the log says how many
              --max-connection-age SEC
                                    an older connection ends with the next answer; default 600
              --rate N              requests a second from each client; more are answered 429;
                                    default 0, no limit
              --trusted-proxy ADDR/LEN
                                    a proxy's address, or a network; again for each: they are
                                    not limited, and who asks is the last address in
                                    X-Forwarded-For that is none of theirs
              --idle-timeout SEC    for how long a client may be silent, and half of the time
                                    it has for a request; default 15
              --max-header BYTES    of request line and headers; default 65536
              --max-body BYTES      default 65536
              --log WHAT            requests, errors or nothing, as JSON lines on standard
                                    error; default requests. No keys, no users' ids
              --log-address HOW     of clients, in lines of requests: full, net (/24 in IPv4,
                                    /64 in IPv6) or none; default none
              --grace SEC           after SIGTERM, to answer what has come; default 10. Then it
                                    ends, whatever hangs
              --check               reads options, files and stores, says all that is wrong with
                                    them, and ends: it listens nowhere and writes nothing
              --clock FILE          for tests: eight bytes with the time in microseconds
                                    since 1970, read at every request

            \(servePostbacksHelp)

            On SIGHUP keys, tokens, networks and models are read again, all or, where
            anything is wrong with one of them, none; the log says what changed, or what is
            wrong. The environment is that of the start: a key that is to change stands in a
            file. What waits for a partner that is gone is given up, as at a start: skan
            outbox has it.

            \(storeHelp)
            """,
        options: [
            .value("listen"), .value("model"), .value("app"), .value("store"), .value("admin"), .value("threads"),
            .value("key"), .flag("any-key"), .value("max-users"),
            .value("store-threads"), .value("store-queue"), .value("max-connection-age"), .value("rate"),
            .value("trusted-proxy"),
            .value("max-connections"), .value("max-connections-per-peer"), .value("idle-timeout"),
            .value("max-header"), .value("max-body"), .value("log"), .value("log-address"), .value("grace"),
            .value("clock"), .flag("check"),
        ] + servePostbacksOptions
    ) { line throws(CommandEnd) in
        let signals = ServerSignals()
        let serving = Serving()
        var problems = ConfigurationProblems()
        let isCheck = try serving.takeAll(&line, &problems)
        if isCheck {
            signals.release()
            return serving.check(problems)
        }
        try problems.throwFirst()
        try serving.serve(until: signals)
        return .fine
    }
}

extension Serving {
    /// Takes every option, whatever is wrong with others; answers whether the configuration is to be checked alone.
    fileprivate func takeAll(
        _ line: inout GivenLine, _ problems: inout ConfigurationProblems
    ) throws(CommandEnd) -> Bool {
        var isCheck = false
        while true {
            do throws(CommandEnd) {
                guard let option = try line.nextOption() else { break }
                if option.is("check") {
                    isCheck = true
                } else if try !postbacks.take(option, of: line, &sources) {
                    try take(option, of: line)
                }
            } catch {
                if case .done = error { throw error }
                problems.add(error)
            }
        }
        do throws(CommandEnd) { _ = try line.arguments(0) } catch { problems.add(error) }
        _ = problems.noting { () throws(CommandEnd) in try postbacks.check() }
        _ = problems.noting { () throws(CommandEnd) in try checkKeys() }
        if let files = tooFewFiles() {
            problems.add(.complaint("serve", "expected at least \(fewestFiles) open files (ulimit -n), got \(files)"))
        }
        return isCheck
    }

    private func take(_ option: GivenOption, of line: GivenLine) throws(CommandEnd) {
        if option.is("listen") {
            (http.address, http.port) = try address(option, of: line)
        } else if option.is("admin") {
            var settings = HTTPServerSettings()
            (settings.address, settings.port) = try address(option, of: line)
            settings.connections = 64
            admin = settings
        } else if option.is("trusted-proxy") {
            guard http.proxies.add(option.value.message.utf8) else {
                let most = TrustedProxies.most
                throw .usage(
                    what: option.name,
                    why: "expected ADDRESS or ADDRESS/BITS, at most \(most) times, got \"\(option.value.message)\"")
            }
        } else if option.is("key") {
            try addKey(option)
        } else if option.is("any-key") {
            takesAnyKey = true
        } else if option.is("model") {
            sources.append(option.source(.model(app: nil), option.value.message.utf8))
        } else if option.is("app") {
            try addAppModel(option)
        } else if option.is("store") {
            storeURL = option.value
        } else if option.is("log") {
            logs = try logLevel(option)
        } else if option.is("log-address") {
            loggedAddress = try addressForm(option)
        } else if option.is("clock") {
            clock = .file(try openClock(option))
        } else {
            try takeNumber(option, of: line)
        }
    }

    private func takeNumber(_ option: GivenOption, of line: GivenLine) throws(CommandEnd) {
        func number(_ range: ClosedRange<Int64>) throws(CommandEnd) -> UInt32 {
            UInt32(truncatingIfNeeded: try line.number(option.name, option.value, range))
        }
        if option.is("threads") {
            threads = try number(1...256)
        } else if option.is("max-connections") {
            http.connections = try number(1...1_000_000)
        } else if option.is("max-connections-per-peer") {
            http.connectionsPerPeer = try number(0...1_000_000)
        } else if option.is("max-connection-age") {
            http.ageSeconds = try number(1...1_000_000)
        } else if option.is("max-users") {
            mostUsers = try number(1...100_000_000)
        } else if option.is("rate") {
            http.rate = try number(0...1_000_000)
        } else if option.is("store-threads") {
            storeThreads = try number(1...256)
        } else if option.is("store-queue") {
            storeQueue = try number(1...100_000)
        } else if option.is("idle-timeout") {
            http.idleSeconds = try number(1...3600)
        } else if option.is("max-header") {
            http.headerBytes = Int(try number(4096...1_048_576))
        } else if option.is("max-body") {
            bodyBytes = Int(try number(1024...16_777_216))
        } else {
            graceSeconds = try number(0...3600)
        }
    }

    /// "127.0.0.1:8080", "[::1]:8080", "8080".
    private func address(_ option: GivenOption, of line: GivenLine) throws(CommandEnd) -> (Message, UInt16) {
        let text = option.value.message.utf8
        var port = text
        var host: Message = "127.0.0.1"
        if let colon = text.lastIndex(of: UInt8(ascii: ":")) {
            var address = text[..<colon]
            if address.count >= 2, address.first == UInt8(ascii: "["), address.last == UInt8(ascii: "]") {
                address = address.dropFirst().dropLast()
            }
            // No address is as long.
            guard address.count < 64 else {
                throw .usage(what: option.name, why: "expected ADDRESS:PORT, got \"\(option.value.message)\"")
            }
            host = Message(utf8: [UInt8](address))
            port = [UInt8](text[(colon + 1)...])
        }
        return (host, UInt16(truncatingIfNeeded: try line.number(option.name, CText(port), 0...65_535)))
    }

    /// "com.example.game=model.json"
    private func addAppModel(_ option: GivenOption) throws(CommandEnd) {
        let text = option.value.message.utf8
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
            throw .usage(what: option.name, why: "expected BUNDLE=FILE, got \"\(option.value.message)\"")
        }
        sources.append(option.source(.model(app: [UInt8](text[..<equals])), [UInt8](text[(equals + 1)...])))
    }

    /// "env:NAME", "com.example.game=file:PATH"
    private func addKey(_ option: GivenOption) throws(CommandEnd) {
        let text = option.value.message.utf8
        var source = text[...]
        var app: [UInt8]?
        if !text.starts(with: ("env:" as StaticString).bytes), !text.starts(with: ("file:" as StaticString).bytes),
            let equals = text.firstIndex(of: UInt8(ascii: "=")), equals > 0
        {
            app = [UInt8](text[..<equals])
            source = text[(equals + 1)...]
        }
        if sources.keyCount == EndpointKeys.most {
            throw .usage(what: option.name, why: "expected at most \(EndpointKeys.most)")
        }
        sources.append(option.source(.key(app: app), [UInt8](source)))
    }

    /// What the options say together. An address that is none is refused where it is used.
    fileprivate func checkKeys() throws(CommandEnd) {
        let hasKeys = sources.keyCount > 0
        if hasKeys && takesAnyKey { throw .usage(what: "--any-key", why: "expected no --key beside it") }
        if hasKeys || takesAnyKey { return }
        if http.address.utf8.withUnsafeBytes({ ClientAddress($0).map { !$0.isLoopback } ?? false }) {
            throw .usage(
                what: "--listen",
                why: "expected --key, or --any-key, where others reach it: \(http.address) is not loopback")
        }
        if !http.proxies.isEmpty {
            throw .usage(
                what: "--trusted-proxy", why: "expected --key, or --any-key: others reach it through the proxy")
        }
    }

    private func logLevel(_ option: GivenOption) throws(CommandEnd) -> ServerLog.Level {
        let name = option.value.message.utf8
        let levels: [(StaticString, ServerLog.Level)] = [
            ("nothing", .nothing), ("errors", .errors), ("requests", .requests),
        ]
        for (word, level) in levels where name.elementsEqual(word.bytes) { return level }
        throw .usage(
            what: option.name, why: "expected nothing, errors or requests, got \"\(option.value.message)\"")
    }

    private func addressForm(_ option: GivenOption) throws(CommandEnd) -> LoggedAddress {
        let name = option.value.message.utf8
        let forms: [(StaticString, LoggedAddress)] = [("full", .full), ("net", .net), ("none", .none)]
        for (word, form) in forms where name.elementsEqual(word.bytes) { return form }
        throw .usage(what: option.name, why: "expected full, net or none, got \"\(option.value.message)\"")
    }

    private func openClock(_ option: GivenOption) throws(CommandEnd) -> VirtualClock {
        do throws(Failure) { return try VirtualClock(option.value) } catch {
            throw .complaint(option.name, "\(option.value.message): \(error.message)")
        }
    }
}

extension GivenOption {
    /// What it says is read from there.
    func source(_ use: ConfigurationSource.Use, _ text: [UInt8]) -> ConfigurationSource {
        ConfigurationSource("\(name) \(value.message)", use, text)
    }
}
