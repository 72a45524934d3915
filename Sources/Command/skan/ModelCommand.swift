internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let model = Subcommand(
        "model", arguments: "check|table|try|decode FILE ...", summary: "checks, shows and tries conversion models",
        help: """
            For those who make a conversion model: whether it is right, what its values
            mean, and what a player's history would get. No store is needed.


            """,
        parts: [.modelCheck, .modelTable, .modelTry, .modelDecode], of: "a model")
}

/// Ends the help of parts that read a model alone.
let modelFileHelp: Message = """
    FILE is a conversion model; - is standard input. Ready ones are in
    share/skan/models.

    """
