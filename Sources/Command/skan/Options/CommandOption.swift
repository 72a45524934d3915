import SKANCommandOutput
import SKANCore

/// An option of one command line: what help, the manual and completion show, and how it takes a value.
struct CommandOption {
    /// The long name, without the dashes.
    let name: StaticString
    /// The placeholder for the value, such as "FILE" or "json|csv"; empty for an option without a value.
    var value: Message = ""
    let sentence: StaticString
    /// nil for a value that is not a number.
    var range: ClosedRange<Int64>?
    /// The valid values, if they are a few words; otherwise empty.
    var words: [StaticString] = []
    var isRepeatable = false
    /// Returns the current value, which is the default until the option is read; nil if there is none.
    var read: () -> Message? = { nil }
    var take: (GivenValue) throws(CommandEnd) -> Void = { _ in }

    var takesValue: Bool { !value.utf8.isEmpty }

    /// Whether the value is a file name, or may end with one.
    var takesFile: Bool {
        (["FILE", "STORE", "NETWORKS", "SOURCE"] as [StaticString]).contains { ending in
            value.utf8.suffix(ending.utf8CodeUnitCount).elementsEqual(ending.bytes)
        }
    }

    /// "--model FILE" or "--json".
    var label: Message { takesValue ? "--\(name) \(value)" : "--\(name)" }

    /// The description in help: the sentence, the range, whether the option is repeatable, and the default.
    var text: Message {
        var facts: [Message] = []
        if let range, range.upperBound < .max { facts.append("\(range.lowerBound) to \(range.upperBound)") }
        if isRepeatable { facts.append("repeatable") }
        if let byDefault = read() { facts.append("default \(byDefault)") }
        return facts.isEmpty ? "\(sentence)" : "\(sentence) (\(joined(facts, "; ")))"
    }
}

/// Options that belong together.
struct CommandOptionGroup {
    let title: StaticString
    let options: [CommandOption]

    /// The options that every command with options has.
    static var common: CommandOptionGroup {
        CommandOptionGroup(
            title: "Every command",
            options: [
                CommandOption(
                    name: "options", value: "FILE",
                    sentence: "Reads options from FILE, a line \"name = value\" for each. See skan help."),
                CommandOption(name: "help", sentence: "Prints this help."),
            ])
    }
}

func joined(_ texts: [Message], _ separator: StaticString) -> Message {
    Message(utf8: [UInt8](texts.map { $0.utf8 }.joined(separator: separator.bytes)))
}
