internal import SKANCore
internal import SKANSystem

/// An option of a subcommand, by its long name without the dashes. Every subcommand has --help beside its own.
struct CommandOption: Sendable {
    let name: StaticString
    let takesValue: Bool

    static func flag(_ name: StaticString) -> CommandOption { CommandOption(name: name, takesValue: false) }
    static func value(_ name: StaticString) -> CommandOption { CommandOption(name: name, takesValue: true) }
}

/// An option as it was given.
struct GivenOption {
    private let option: CommandOption
    /// Empty for one that takes none.
    let value: CText

    init(_ option: CommandOption, _ value: CText) {
        self.option = option
        self.value = value
    }

    func `is`(_ name: StaticString) -> Bool { option.name.bytes.elementsEqual(name.bytes) }

    /// "--name", for messages.
    var name: Message { "--\(option.name)" }
}
