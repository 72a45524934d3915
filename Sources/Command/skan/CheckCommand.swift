internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let check = Subcommand(
        "check", arguments: "STORE",
        summary: "reads every record and names the damaged ones",
        help: """
            Reads every record, of installs, postbacks and the outbox, and names those that
            are damaged, or were written by a newer libskan, or are under a wrong name, each
            with the reason; then how many there are, by kind where there are others than
            installs. Changes nothing. Exit code 1 where it named any.
            A store that lists a key twice (Redis may) counts it twice.

            \(storeHelp)
            """
    ) { line throws(CommandEnd) in
        _ = try line.nextOption()
        return checkRecords(try OpenStore.open(try line.arguments(1)[0], for: .reads))
    }
}
