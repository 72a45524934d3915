internal import SKANCommandOutput
internal import SKANCommandReceive
internal import SKANCommandServer
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let receive = Subcommand(
        "receive", arguments: "STORE FILE|FOLDER|-... [OPTION]...",
        summary: "takes in postbacks from files, as skan serve does over HTTP",
        help: """
            Verifies Apple's postbacks that are kept in files, and counts each once, by the
            rules of skan serve --postbacks. A file has one postback, one on each line (JSON
            Lines), or an array of them; gzip is unpacked; - is standard input. Of a folder
            every file is read, in the order of names, also those in the folders in it;
            names that begin with a dot are left out.
            A postback that STORE has already is a duplicate and keeps its first arrival, so
            a run that was stopped can be repeated.

              --received-field NAME the member of each postback that says when it arrived:
                                    2026-01-31T10:00:00Z, Unix seconds or milliseconds.
                                    Models are chosen by it, reports and rows have it;
                                    without it postbacks arrive now
              --app-id ID           counts postbacks of this app of the App Store; again for
                                    each. Those of other apps are stored separately and
                                    never counted
              --any-app             counts those of any app; this or --app-id is needed
              --ad-network ID       counts those of this ad network, "example.skadnetwork";
                                    again for each; without it those of any
              --model FILE          the model of all installs; postbacks are decoded by it
              --postback-model FROM=FILE
                                    in its place where the model changed: the model of
                                    installs from this time on, as 2026-01-31T10:00:00Z or
                                    Unix seconds; again for each. Without a model, postbacks
                                    are kept undecoded until skan report --model
              --reengagement-model FROM=FILE
                                    the same of re-engagements (AdAttributionKit)
              --postback-keys FILE  {"keys": [{"name", "spki", "development"}]}, beside
                                    Apple's
              --refused-in-all N    postbacks that are not counted are stored separately, at
                                    most so many of each sort, with those that STORE has;
                                    default 50000. There is no limit for an hour
              --refused-bytes-in-all N
                                    the same by bytes; default 268435456

            No partner is called for these postbacks, neither now nor by a skan serve that
            is started later. Where partners are to know of them, post them to skan serve
            --networks instead.
            What is no postback, or does not say when it arrived, is not stored. The first
            20 are named with file and line, the others are counted, and the exit code is 1.
            So it is where a file cannot be read to its end, or the store fails. A duplicate
            or a refused postback is no error; the last line says how many there were.

            \(storeHelp)
            """,
        options: [
            .value("received-field"), .value("app-id"), .flag("any-app"), .value("ad-network"), .value("model"),
            .value("postback-model"), .value("reengagement-model"), .value("postback-keys"), .value("refused-in-all"),
            .value("refused-bytes-in-all"),
        ]
    ) { line throws(CommandEnd) in
        var files = PostbackFiles()
        while let option = try line.nextOption() {
            if option.is("received-field") {
                guard !option.value.message.utf8.isEmpty else {
                    throw .usage(what: option.name, why: "expected the name of a member, got \"\"")
                }
                files.receivedField = option.value.message.utf8
            } else if option.is("model") {
                files.sources.append(option.source(.model(app: nil), option.value.message.utf8))
            } else {
                _ = try files.options.take(option, of: line, &files.sources)
            }
        }
        let arguments = try line.arguments(atLeast: 2)
        try files.options.checkApps("receive")
        files.paths = [CText](arguments.dropFirst())
        if files.paths.count(where: { $0.isStandardInput }) > 1 {
            throw .usage(what: "-", why: "expected standard input once")
        }
        return try files.receive(into: arguments[0])
    }
}
