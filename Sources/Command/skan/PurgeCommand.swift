internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let purge = Subcommand(
        "purge", arguments: "STORE [--closed-before N] [--refused-before N] [--dry-run]",
        summary: "removes installs that are over, and old refused postbacks",
        help: """
            Removes the record of every install whose last postback window closed more than
            N days ago (0 to 36500): nothing can change its values any more. Lifetime
            revenue goes with it. Installs that were never registered stay, and so do
            damaged records, records of a newer libskan, which are named, and records that
            others change meanwhile. Users of skan serve go by when they were last seen,
            which is written down once a day, and stay while a window of theirs is open.
            With --refused-before every postback goes that came more than N days ago and
            was kept apart, not counted. What is not asked for, counted postbacks and
            entries of the outbox are left alone, which is said; where a store has nothing
            else, the exit code is 1.
              --closed-before N, --refused-before N
                                    one of them must be there
              --dry-run             counts and removes nothing

            \(storeHelp)
            """,
        options: [.value("closed-before"), .value("refused-before"), .flag("dry-run")]
    ) { line throws(CommandEnd) in
        var days = PurgedDays()
        var isDry = false
        while let option = try line.nextOption() {
            if option.is("dry-run") {
                isDry = true
            } else if option.is("refused-before") {
                days.refused = try line.number(option.name, option.value, 0...36_500)
            } else {
                days.closed = try line.number(option.name, option.value, 0...36_500)
            }
        }
        let arguments = try line.arguments(1)
        guard days.closed != nil || days.refused != nil else {
            throw .usage(what: "purge", why: "expected --closed-before N, in days, or --refused-before N")
        }
        let store = try OpenStore.open(arguments[0], for: isDry ? .reads : .removes)
        return purgeRecords(store, olderThan: days, isDry: isDry)
    }
}
