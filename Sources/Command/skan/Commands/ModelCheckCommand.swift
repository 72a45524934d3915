import SKANCommandModels
import SKANCommandOutput
import SKANCore
import SKANSystem

extension Subcommand {
    static let modelCheck = Subcommand(
        "model check", ["FILE"], summary: "says whether a model is right, or where it is not",
        """
        If the model is right, prints OK with its id, its version (the SHA-256 of the file, by which installs remember \
        it), the protocol, and the number of rules in each window. Else prints the place as a JSON pointer and what is \
        wrong there, and the exit code is 1. Notes point out what is allowed but perhaps not meant: values without a \
        rule, rules that never hold, a rule for the value that registering alone gives, revenue that counts as nothing.
        """,
        [.modelFile]
    ) { arguments throws(CommandEnd) in
        printModelCheck(try ModelFile.read(arguments[0]))
        return .fine
    }
}
