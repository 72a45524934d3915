import SKANCommandOutput
import SKANCommandRecords
import SKANCommandStores
import SKANCore
import SKANSystem

extension Subcommand {
    static let move = Subcommand(
        "move", ["FROM", "TO"],
        summary: "moves all records from one store to another",
        """
        Moves all records of installs, postbacks and the outbox from one store to another, byte for byte, damaged ones \
        too, and says how many of each. It makes TO if it is not there. Each record is saved in TO, read back and \
        compared, and only then removed from FROM, if it is unchanged there. The command may be interrupted at any \
        moment, also by a crash, and run again: nothing is lost, and nothing counts twice.

        Stop first what writes to FROM. A record that changes while it moves is copied again, but a service that goes \
        on with FROM finds no install there afterwards and begins a new one. Postbacks move before the outbox entries \
        for their partners, so TO may be served meanwhile.

        A key that has different records in both stores stays in both and is named, and the exit code is 1. An outbox \
        entry that is in TO already counts as moved, whatever its state there: its partner is told from TO.
        """,
        [.stores], values: (keeps: false, replaces: false),
        options: OptionGroup(
            .flag("keep", { $1(&$0.keeps) }, "Copies, and removes nothing."),
            .flag("replace", { $1(&$0.replaces) }, "Replaces the record in TO if both stores have different ones."))
    ) { given throws(CommandEnd) in
        let arguments = given.arguments
        if arguments[0].characters == arguments[1].characters {
            throw .usage(what: "move", why: "FROM and TO are the same store")
        }
        let from = try OpenStore.open(arguments[0], for: given.values.keeps ? .reads : .removes)
        let to = try OpenStore.open(arguments[1], for: .fills)
        return moveRecords(from: from, to: to, keeps: given.values.keeps, replaces: given.values.replaces)
    }
}
