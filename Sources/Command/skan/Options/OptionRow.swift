internal import SKANCommandOutput
internal import SKANCore

/// An option of a command, and where its value goes: the one place that has all of it. Parsing, refusals, help, the
/// manual, completion and files of options are made from it.
struct OptionRow<Values>: Sendable {
    /// The place of a value: `{ $1(&$0.threads) }`. It is read for the default, and written by the option.
    typealias Place<Value> = @Sendable (inout Values, (inout Value) -> Void) -> Void
    typealias Taking = @Sendable (inout Values, GivenValue) throws(CommandEnd) -> Void

    private var option: CommandOption
    /// The text of the value that the place has; nil: none is shown.
    private var read: @Sendable (inout Values) -> Message? = { _ in nil }
    let take: Taking

    var name: StaticString { option.name }
    var takesValue: Bool { option.takesValue }

    /// What help shows, with the default that these values have.
    func shown(_ values: inout Values) -> CommandOption {
        var shown = option
        shown.byDefault = option.byDefault ?? read(&values)
        return shown
    }

    /// An option without a value that sets something to true.
    static func flag(_ name: StaticString, _ place: @escaping Place<Bool>, _ sentence: StaticString) -> OptionRow {
        var row = OptionRow(option: CommandOption(name: name, sentence: sentence)) { values, _ in
            place(&values) { $0 = true }
        }
        row.read = { values in kept(place, in: &values) == true ? "on" : nil }
        return row
    }

    /// An option without a value that does something else.
    static func flag(_ name: StaticString, _ sentence: StaticString, taking take: @escaping Taking) -> OptionRow {
        OptionRow(option: CommandOption(name: name, sentence: sentence), take: take)
    }

    /// A whole number.
    static func number<Number: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ unit: StaticString, _ range: ClosedRange<Number>, _ place: @escaping Place<Number>,
        _ sentence: StaticString
    ) -> OptionRow {
        number(
            name, unit, range,
            { values, body in
                place(&values) { number in
                    var optional: Number? = number
                    body(&optional)
                    number = optional ?? number
                }
            }, sentence, byDefault: nil)
    }

    /// A whole number that need not be there. `byDefault`: what holds then.
    static func number<Number: FixedWidthInteger & Sendable>(
        _ name: StaticString, _ unit: StaticString, _ range: ClosedRange<Number>, _ place: @escaping Place<Number?>,
        _ sentence: StaticString, byDefault: Message? = nil
    ) -> OptionRow {
        let range = Int64(clamping: range.lowerBound)...Int64(clamping: range.upperBound)
        var row = OptionRow(
            option: CommandOption(name: name, value: "\(unit)", sentence: sentence, range: range)
        ) { values, given throws(CommandEnd) in
            let number = try given.number(range)
            place(&values) { $0 = Number(clamping: number) }
        }
        row.read = { values in (kept(place, in: &values) ?? nil).map { "\(Int64(clamping: $0))" } ?? byDefault }
        return row
    }

    /// One of a few words.
    static func choice<Choice: Equatable & Sendable>(
        _ name: StaticString, _ choices: [(word: StaticString, choice: Choice)], _ place: @escaping Place<Choice>,
        _ sentence: StaticString
    ) -> OptionRow {
        let words = choices.map { $0.word }
        let option = CommandOption(
            name: name, value: joined(words.map { "\($0)" }, "|"), sentence: sentence, words: words)
        var row = OptionRow(option: option) { values, given throws(CommandEnd) in
            let choice = try given.choice(choices)
            place(&values) { $0 = choice }
        }
        row.read = { values in
            let now = kept(place, in: &values)
            return choices.first { $0.choice == now }.map { "\($0.word)" }
        }
        return row
    }

    /// Any other value. `sort`: what stands for it in help.
    static func value(
        _ name: StaticString, _ sort: StaticString, _ sentence: StaticString, byDefault: Message? = nil,
        isRepeatable: Bool = false, taking take: @escaping Taking
    ) -> OptionRow {
        OptionRow(
            option: CommandOption(
                name: name, value: "\(sort)", sentence: sentence, isRepeatable: isRepeatable, byDefault: byDefault),
            take: take)
    }
}

private func kept<Values, Value>(_ place: OptionRow<Values>.Place<Value>, in values: inout Values) -> Value? {
    var value: Value?
    place(&values) { value = $0 }
    return value
}

/// Rows of a command's table that belong together.
struct OptionGroup<Values>: Sendable {
    let title: StaticString
    let rows: [OptionRow<Values>]

    init(_ title: StaticString, _ rows: OptionRow<Values>...) { (self.title, self.rows) = (title, rows) }
    init(_ rows: OptionRow<Values>...) { (self.title, self.rows) = ("Options", rows) }
}
