internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let modelTable = Subcommand(
        "model table", arguments: "FILE [--json]", summary: "every value and what it means, in words",
        help: """
            Shows every fine and coarse value of each window with what it means, in the
            order of the rules, then the values that are not used. A value means that its
            rule held and no later one did; fine 0 in window 0 is also what an install has
            that was registered and no more. "level_10" is at least once, "3+ sessions" are
            three or more; both count in the window. A model that only raises keeps a value
            when its rule holds no more.
              --json  one document: the rules with all defaults, these words as "meaning"

            \(modelFileHelp)
            """,
        options: [.flag("json")]
    ) { line throws(CommandEnd) in
        var asDocument = false
        while try line.nextOption() != nil { asDocument = true }
        let paths = try line.arguments(1)
        let file = try ModelFile.read(paths[0])
        if asDocument { printModelDocument(file) } else { printModelTable(file) }
        return .fine
    }
}
