import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let purge = Subcommand(
        "purge", ["STORE"],
        summary: "removes installs that are over, and old refused postbacks",
        """
        Removes records that are old enough; --closed-before, --unregistered-before and \
        --refused-before say which. Counted postbacks \
        and entries of the outbox always stay.

        Once the last postback window of an install has closed, nothing can change its values any more; its lifetime \
        revenue is removed with it. Installs that were never registered have no windows: revenue that came \
        before registering, or after skan forget, is all that is known of them. --unregistered-before removes those \
        that have not changed for so long; those whose last change is not known stay, which are imported ones without \
        revenue since. Records that others change meanwhile stay, and so do records that are damaged or written by a \
        newer libskan, which are named. A user of skan serve \
        is judged by when it was last seen, which is written down once a day, and stays while one of its windows is \
        open.
        """,
        [.stores], values: AskedPurge(),
        options: OptionGroup(
            .number(
                "closed-before", "DAYS", 0...36_500, { $1(&$0.days.closed) },
                "Removes installs whose last postback window closed more than DAYS days ago."),
            .number(
                "unregistered-before", "DAYS", 0...36_500, { $1(&$0.days.unregistered) },
                "Removes installs that were never registered and did not change for DAYS days."),
            .number(
                "refused-before", "DAYS", 0...36_500, { $1(&$0.days.refused) },
                "Removes refused postbacks that arrived more than DAYS days ago."),
            .flag("dry-run", { $1(&$0.isDry) }, "Counts what would be removed, and removes nothing.")),
        .reading
    ) { given throws(CommandEnd) in
        let (days, isDry) = (given.values.days, given.values.isDry)
        guard days.closed != nil || days.unregistered != nil || days.refused != nil else {
            throw .usage(
                what: "purge",
                why: "expected --closed-before DAYS, --unregistered-before DAYS or --refused-before DAYS")
        }
        let store = try OpenStore.open(given.arguments[0], for: isDry ? .reads : .removes, jobs: given.values.jobs)
        return purgeRecords(store, olderThan: days, isDry: isDry)
    }
}

private struct AskedPurge: TakesJobs {
    var days = PurgedDays()
    var isDry = false
    var jobs = 1
}
