internal import CSKANSystem
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

/// The command line of a subcommand, read by getopt_long: option after option, then the arguments.
struct GivenLine {
    let usage: SubcommandUsage
    /// The first stands for the subcommand's name.
    let words: [CText]
    private let list: OptionList
    private var next = 1

    init(_ usage: SubcommandUsage, _ words: [CText]) {
        self.usage = usage
        self.words = words
        list = OptionList(usage.options, words)
    }

    /// The next option; nil after the last. Where help is asked for, gives it and ends.
    mutating func nextOption() throws(CommandEnd) -> GivenOption? {
        let found = list.next()
        next = Int(found.next)
        switch found.code {
        case -1:
            return nil
        case OptionList.help:
            usage.print()
            throw .done(.fine)
        case OptionList.unknown, OptionList.withoutValue:
            throw wrong(found)
        default:
            let option = usage.options[Int(found.code - OptionList.first)]
            return GivenOption(option, found.value.map { CText(copying: $0) } ?? CText([]))
        }
    }

    /// The argument behind the options, where there is one.
    mutating func argument() throws(CommandEnd) -> CText? {
        list.words(from: next).isEmpty ? nil : try arguments(1).first
    }

    /// The arguments behind the options: so many, no more and no less.
    mutating func arguments(_ count: Int) throws(CommandEnd) -> [CText] {
        let given = try arguments(atLeast: count)
        if given.count > count {
            throw .usage(what: given[count].message, why: "one argument too many, \(expected)")
        }
        return given
    }

    /// The arguments behind the options: so many, or more.
    mutating func arguments(atLeast count: Int) throws(CommandEnd) -> [CText] {
        let given = list.words(from: next)
        if given.count < count {
            let what: StaticString = given.isEmpty ? "no arguments" : "an argument is missing"
            throw .usage(what: "\(usage.name)", why: "\(what), \(expected)")
        }
        return given
    }

    private var expected: Message { "expected: skan \(usage.name) \(usage.arguments)" }

    /// The whole number in a text. `name`: of the option, for messages.
    func number(_ name: Message, _ text: CText, _ range: ClosedRange<Int64>) throws(CommandEnd) -> Int64 {
        guard let value = wholeNumber(ofDigits: text.message.utf8), range.contains(value) else {
            throw .usage(
                what: name,
                why: "expected a whole number from \(range.lowerBound) to \(range.upperBound), got \"\(text.message)\"")
        }
        return value
    }

    /// What getopt_long does not take: named as it was written.
    private func wrong(_ found: system_option) -> CommandEnd {
        let written = list.word(next - 1)
        let isLong =
            found.wrong == 0 || written.utf8.starts(with: StaticString("--").bytes)
            || found.code == OptionList.withoutValue
        if found.code == OptionList.withoutValue {
            return .usage(what: written, why: "expected a value after this option")
        }
        if isLong && found.wrong != 0 { return .usage(what: written, why: "this option takes no value") }
        let letter = Message(utf8: [UInt8(ascii: "-"), UInt8(truncatingIfNeeded: found.wrong)])
        return .usage(what: isLong ? written : letter, why: "no such option, or not all of its name")
    }
}
