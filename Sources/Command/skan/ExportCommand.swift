internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let export = Subcommand(
        "export", arguments: "STORE",
        summary: "prints every install as a line of JSON",
        help: """
            Prints every install as a line of JSON, in the order of the store's listing:
              {"install_id":"player-1","details":{...},"record":"<base64>"}
            "record" is what skan import takes over, to the byte; "details" are for people
            and other programs. A damaged record, or one of a newer libskan, has "details":
            null and "error", is named on standard error and makes the exit code 1. A bar
            shows how far it is where standard error is a terminal.
            Postbacks and entries of the outbox are left alone, which is said; where a store
            has nothing else, the exit code is 1.
            While others write, each line is right for some moment of the export. A store
            that lists a key twice (Redis may) gives its line twice; importing it twice is
            as good as once.

            \(storeHelp)
            """
    ) { line throws(CommandEnd) in
        _ = try line.nextOption()
        return exportInstalls(try OpenStore.open(try line.arguments(1)[0], for: .reads))
    }
}
