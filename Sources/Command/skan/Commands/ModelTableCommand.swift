import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelTable = Subcommand(
        "model table", ["FILE"], summary: "shows every value and what it means, in words",
        """
        Shows every fine and coarse value of each window with its meaning, in the order of the rules, then the values \
        that are not used. A value means that its rule held and that no later rule did. Fine value 0 in window 0 is \
        also what an install has that was only registered.

        "level_10" means at least once, "3+ sessions" three or more; both count within the window. A model that only \
        raises keeps a value after its rule has ceased to hold.
        """,
        [.modelFile], values: false,
        options: OptionGroup(
            .flag("json", { $1(&$0) }, "Prints the rules with all defaults, and these words as \"meaning\"."))
    ) { given throws(CommandEnd) in
        let file = try ModelFile.read(given.arguments[0])
        if given.values { printModelDocument(file) } else { printModelTable(file) }
        return .fine
    }
}
