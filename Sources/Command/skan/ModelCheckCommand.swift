internal import SKANCommandModels
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension Subcommand {
    static let modelCheck = Subcommand(
        "model check", arguments: "FILE", summary: "whether a model is right, or where it is not",
        help: """
            Says OK with the model's id, its version (the SHA-256 of the file, under which
            installs remember it), the protocol, and how many rules each window has; or the
            place, as a JSON pointer, and what is wrong there, and exit code 1. Notes tell
            what is allowed but perhaps not meant: values that no rule has, rules that never
            hold, a rule for the value that registering alone gives, revenue that counts as
            nothing.

            \(modelFileHelp)
            """
    ) { line throws(CommandEnd) in
        _ = try line.nextOption()
        let paths = try line.arguments(1)
        printModelCheck(try ModelFile.read(paths[0]))
        return .fine
    }
}
