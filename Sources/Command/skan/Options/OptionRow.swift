import SKANCommandOutput
import SKANCore

/// An option of a command, and where its value is stored. This is its only definition: parsing, errors, help, the
/// manual, completion and files of options are derived from it.
struct OptionRow<Values>: Sendable {
    /// Gives access to the variable that holds an option's value: `{ $1(&$0.threads) }`. The variable is read for the
    /// default, and written when the option is given.
    typealias Place<Value> = @Sendable (inout Values, (inout Value) -> Void) -> Void
    typealias Taking = @Sendable (inout Values, GivenValue) throws(CommandEnd) -> Void

    /// Returns the option, bound to the values of one command line, which it reads and writes.
    let bound: @Sendable (FilledValues<Values>) -> CommandOption

    /// An option without a value that sets a variable to true.
    static func flag(_ name: StaticString, _ place: @escaping Place<Bool>, _ sentence: StaticString) -> OptionRow {
        OptionRow { filled in
            CommandOption(name: name, sentence: sentence, read: { filled[place] == true ? "on" : nil }) { _ in
                place(&filled.values) { $0 = true }
            }
        }
    }

    /// An option without a value that calls `take`.
    static func flag(_ name: StaticString, _ sentence: StaticString, taking take: @escaping Taking) -> OptionRow {
        value(name, "", sentence, taking: take)
    }

    /// An option whose value is a whole number.
    static func number<Number: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ unit: StaticString, _ range: ClosedRange<Number>, _ place: @escaping Place<Number>,
        _ sentence: StaticString
    ) -> OptionRow {
        OptionRow { filled in
            .number(
                name, unit, range, sentence, read: { filled[place] },
                write: { new in place(&filled.values) { $0 = new } })
        }
    }

    /// An option whose value is a whole number or unset. `byDefault`: the default that help shows.
    static func number<Number: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ unit: StaticString, _ range: ClosedRange<Number>, _ place: @escaping Place<Number?>,
        _ sentence: StaticString, byDefault: Message? = nil
    ) -> OptionRow {
        OptionRow { filled in
            .number(
                name, unit, range, sentence, byDefault, read: { filled[place] ?? nil },
                write: { new in place(&filled.values) { $0 = new } })
        }
    }

    /// An option whose value is one of a few words.
    static func choice<Choice: Equatable & Sendable>(
        _ name: StaticString, _ choices: [(word: StaticString, choice: Choice)], _ place: @escaping Place<Choice>,
        _ sentence: StaticString
    ) -> OptionRow {
        OptionRow { filled in
            let words = choices.map { $0.word }
            return CommandOption(
                name: name, value: joined(words.map { "\($0)" }, "|"), sentence: sentence, words: words,
                read: { choices.first { $0.choice == filled[place] }.map { "\($0.word)" } }
            ) { given throws(CommandEnd) in
                let choice = choices[try given.index(in: words)].choice
                place(&filled.values) { $0 = choice }
            }
        }
    }

    /// An option whose value `take` parses; the value must not be empty. `sort`: the value's placeholder in help; empty
    /// for an option without a value. `byDefault`: the default that help shows.
    static func value(
        _ name: StaticString, _ sort: StaticString, _ sentence: StaticString, byDefault: Message? = nil,
        isRepeatable: Bool = false, taking take: @escaping Taking
    ) -> OptionRow {
        OptionRow { filled in
            CommandOption(
                name: name, value: "\(sort)", sentence: sentence, isRepeatable: isRepeatable, read: { byDefault }
            ) { given throws(CommandEnd) in
                if !sort.bytes.isEmpty && given.utf8.isEmpty { throw given.refused(expected: "\(sort)") }
                try take(&filled.values, given)
            }
        }
    }
}

/// The values that the options of one command line fill in.
final class FilledValues<Values> {
    var values: Values

    init(_ values: Values) { self.values = values }

    /// The value of the variable to which `place` gives access.
    subscript<Value>(place: OptionRow<Values>.Place<Value>) -> Value? {
        var found: Value?
        place(&values) { found = $0 }
        return found
    }
}

extension CommandOption {
    fileprivate static func number<Number: FixedWidthInteger>(
        _ name: StaticString, _ unit: StaticString, _ range: ClosedRange<Number>, _ sentence: StaticString,
        _ byDefault: Message? = nil, read: @escaping () -> Number?, write: @escaping (Number) -> Void
    ) -> CommandOption {
        let range = Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound)
        return CommandOption(
            name: name, value: "\(unit)", sentence: sentence, range: range,
            read: { read().map { "\(Int64(clamping: $0))" } ?? byDefault }
        ) { given throws(CommandEnd) in write(Number(clamping: try given.number(range))) }
    }
}

/// Options of a command that are shown together.
struct OptionGroup<Values>: Sendable {
    let title: StaticString
    let rows: [OptionRow<Values>]

    init(_ title: StaticString, _ rows: OptionRow<Values>...) { (self.title, self.rows) = (title, rows) }
    init(_ rows: OptionRow<Values>...) { (self.title, self.rows) = ("Options", rows) }

    func names(of values: Values) -> [StaticString] { bound(FilledValues(values)).options.map { $0.name } }

    func bound(_ filled: FilledValues<Values>) -> CommandOptionGroup {
        CommandOptionGroup(title: title, options: rows.map { $0.bound(filled) })
    }
}
