import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let export = Subcommand(
        "export", ["STORE"],
        summary: "prints every install as a line of JSON",
        """
        Prints every install as a line of JSON, in the order of the store's listing:
          {"install_id":"player-1","details":{...},"record":"<base64>"}
        skan import takes over "record" byte for byte; "details" are for people and other programs. A record that is \
        damaged or written by a newer libskan has "details": null and "error"; it is named on standard error, and the \
        exit code is 1.

        While others write to the store, each line is right for some moment of the export. A store that lists a key \
        twice, as Redis may, gives its line twice; importing a line twice changes nothing.
        """,
        [.stores], values: AskedReading(), options: .reading
    ) { given throws(CommandEnd) in
        exportInstalls(try OpenStore.open(given.arguments[0], for: .reads, jobs: given.values.jobs))
    }
}
