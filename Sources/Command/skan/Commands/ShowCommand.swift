import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let show = Subcommand(
        "show", ["STORE", "INSTALL"],
        summary: "shows what is known of one install",
        """
        Shows what is known of one install: its windows, values and locks, its revenue, and the update that waits for \
        the app. Times are UTC. The exit code is 1 if there is no such install, or if its record is damaged or is a \
        postback's.

        A user of skan serve is named v2/APP/IDFV or v2-idfa/APP/IDFA, in SKAN 3 v1/APP/IDFV or v1-idfa/APP/IDFA; \
        with sing, sdid or custom_user_id in place of idfa for users without both. Put -- before a name that begins \
        with -.
        """,
        [.stores], values: false,
        options: OptionGroup(.flag("json", { $1(&$0) }, "Prints the details document, in one line."))
    ) { given throws(CommandEnd) in
        let id = given.arguments[1].message
        if let problem = id.utf8.withUnsafeBytes({ installIDProblem($0) }) { throw .usage(what: id, why: "\(problem)") }
        let store = try OpenStore.open(given.arguments[0], for: .reads)
        return id.utf8.withUnsafeBytes { showInstall($0, in: store, asJSON: given.values) }
    }
}
