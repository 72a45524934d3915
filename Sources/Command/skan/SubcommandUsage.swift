internal import SKANCommandOutput
internal import SKANCore

/// How a subcommand is called, and what its help tells.
struct SubcommandUsage: Sendable {
    let name: StaticString
    /// After the name, as in the first line of its help.
    let arguments: StaticString
    /// One line, for the list of commands.
    let summary: StaticString
    /// What it does, its options; ends with a line feed.
    let help: Message
    let options: [CommandOption]

    func print() {
        StandardOutput.write("usage: skan \(name) \(arguments)\n\n\(help)")
    }
}
