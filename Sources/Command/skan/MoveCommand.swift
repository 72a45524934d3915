internal import SKANCommandOutput
internal import SKANCommandRecords
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let move = Subcommand(
        "move", arguments: "FROM TO [--keep] [--replace]",
        summary: "moves all records from one store to another",
        help: """
            Moves all records from one store to another, installs, postbacks and entries of
            the outbox, as bytes, damaged ones too, and says how many of each.
            Each is saved in TO, read back, compared, and only then removed from FROM, if it
            is unchanged there. It may be interrupted at any moment, also by a crash, and
            run again: nothing is lost, nothing counts twice.
            Postbacks move before the outbox entries for their partners, so that TO may be
            served meanwhile.
            Stop first what writes to FROM. A record that changes nevertheless while it is
            on its way is copied again; but a service that goes on with FROM finds no
            install there afterwards and begins a new one.
            What both stores have with different records stays in both and is named, and the
            exit code is 1.
              --keep     copies, and removes nothing
              --replace  where both have different records, FROM's replaces TO's

            \(storeHelp)
            """,
        options: [.flag("keep"), .flag("replace")]
    ) { line throws(CommandEnd) in
        var keeps = false
        var replaces = false
        while let option = try line.nextOption() {
            if option.is("keep") { keeps = true } else { replaces = true }
        }
        let arguments = try line.arguments(2)
        if arguments[0].characters == arguments[1].characters {
            throw .usage(what: "move", why: "FROM and TO are the same store")
        }
        let from = try OpenStore.open(arguments[0], for: keeps ? .reads : .removes)
        let to = try OpenStore.open(arguments[1], for: .fills)
        return moveRecords(from: from, to: to, keeps: keeps, replaces: replaces)
    }
}
