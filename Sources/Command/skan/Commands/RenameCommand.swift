import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let rename = Subcommand(
        "rename", ["STORE", "OLD", "NEW"],
        summary: "gives an install another id",
        """
        Gives the install OLD the id NEW, also while services use the store. Its whole record moves: revenue, event \
        ids, values, the update that waits for the app, and re-engagements. There must be no install NEW. If the \
        command is interrupted, one of the two ids has the install, and the same command carries on. The exit code is \
        1 if there is no install OLD, or an install NEW.

        Put -- before a name that begins with -.
        """,
        [.stores]
    ) { given throws(CommandEnd) in
        let (old, new) = (given[1].message, given[2].message)
        for id in [old, new] {
            if let problem = id.utf8.withUnsafeBytes({ installIDProblem($0) }) {
                throw .usage(what: id, why: "\(problem)")
            }
        }
        let store = try OpenStore.open(given[0], for: .changes)
        return old.utf8.withUnsafeBytes { old in
            new.utf8.withUnsafeBytes { new in renameInstall(old, to: new, in: store) }
        }
    }
}
