import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let check = Subcommand(
        "check", ["STORE"],
        summary: "reads every record and names the damaged ones",
        """
        Reads every record of installs, postbacks and the outbox, and changes nothing. It names each record that is \
        damaged, was written by a newer libskan, or has a key that does not fit its kind, with the reason; the exit \
        code is then 1. At the end it says how many records there are, by kind if there are others than installs. A \
        key that the store lists twice, as Redis may, counts twice.
        """,
        [.stores], values: AskedReading(), options: .reading
    ) { given throws(CommandEnd) in
        checkRecords(try OpenStore.open(given.arguments[0], for: .reads, jobs: given.values.jobs))
    }
}
