internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let purge = Subcommand(
        "purge", arguments: "STORE --closed-before DAYS [--dry-run]",
        summary: "removes installs whose last window closed long ago",
        help: """
            Removes the record of every install whose last postback window closed more than
            DAYS days ago (0 to 36500): nothing can change its values any more. Lifetime
            revenue goes with it. Installs that were never registered stay, and so do
            damaged records, records of a newer libskan, which are named, and records that
            others change meanwhile. Postbacks and entries of the outbox are left alone,
            which is said; where a store has nothing else, the exit code is 1.
              --closed-before DAYS  must be there
              --dry-run             counts and removes nothing

            \(storeHelp)
            """,
        options: [.value("closed-before"), .flag("dry-run")]
    ) { line throws(CommandEnd) in
        var days: Int64?
        var isDry = false
        while let option = try line.nextOption() {
            if option.is("dry-run") {
                isDry = true
            } else {
                days = try line.number(option.name, option.value, 0...36_500)
            }
        }
        let arguments = try line.arguments(1)
        guard let days else { throw .usage(what: "purge", why: "expected --closed-before DAYS") }
        let store = try OpenStore.open(arguments[0], for: isDry ? .reads : .removes)
        return purgeInstalls(store, closedBefore: days, isDry: isDry)
    }
}
