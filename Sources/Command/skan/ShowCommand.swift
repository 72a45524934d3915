internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let show = Subcommand(
        "show", arguments: "STORE INSTALL [--json]",
        summary: "shows what is known of one install",
        help: """
            Shows what is known of one install: its windows, values and locks, its revenue
            and the update that waits for the app. Times are UTC. Exit code 1 where there
            is no such install, or its record is damaged, or a postback's; which is said.
            A user of skan serve is named v2/APP/IDFV or v2-idfa/APP/IDFA, in SKAN 3 v1/ and
            v1-idfa/. An install whose name begins with - comes after --.
              --json  the details document, in one line

            \(storeHelp)
            """,
        options: [.flag("json")]
    ) { line throws(CommandEnd) in
        var isJSON = false
        while try line.nextOption() != nil { isJSON = true }
        let arguments = try line.arguments(2)
        let id = arguments[1].message
        if let problem = id.utf8.withUnsafeBytes({ installIDProblem($0) }) { throw .usage(what: id, why: "\(problem)") }
        let store = try OpenStore.open(arguments[0], for: .reads)
        return id.utf8.withUnsafeBytes { showInstall($0, in: store, asJSON: isJSON) }
    }
}
