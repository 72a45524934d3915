import SKANCommandModels
import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem

/// A value given to an option; empty for an option without one.
struct GivenValue {
    /// The option with its dashes, such as "--model".
    let option: Message
    let text: CText
    /// The place in a file of options, as "FILE:LINE:COLUMN"; nil for the command line.
    let place: Message?

    var message: Message { text.message }
    var utf8: [UInt8] { message.utf8 }

    func refused(_ why: Message) -> CommandEnd {
        guard let place else { return .usage(what: option, why: why) }
        return .usage(what: place, why: "\(option): \(why)")
    }

    /// The error that refuses the value. `expected`: a description of valid values.
    func refused(expected: Message) -> CommandEnd { refused("expected \(expected), got \"\(shown(utf8))\"") }

    func number(_ range: ClosedRange<Int64>, in digits: [UInt8]? = nil) throws(CommandEnd) -> Int64 {
        let digits = digits ?? utf8
        guard let number = wholeNumber(ofDigits: digits), range.contains(number) else {
            throw refused(
                """
                expected a whole number from \(range.lowerBound) to \(range.upperBound), got \
                \"\(shown(digits))\"
                """)
        }
        return number
    }

    /// The index of the value in a list of words.
    func index(in choices: [StaticString]) throws(CommandEnd) -> Int {
        let text = utf8
        if let found = choices.firstIndex(where: { text.elementsEqual($0.bytes) }) { return found }
        var words: Message = ""
        for (index, choice) in choices.enumerated() {
            let before: StaticString = index == 0 ? "" : index == choices.count - 1 ? " or " : ", "
            words = "\(words)\(before)\(choice)"
        }
        throw refused(expected: words)
    }

    /// A day or a time in Unix seconds. `isEnd`: a day means its last second.
    func moment(isEnd: Bool = false) throws(CommandEnd) -> Int64 {
        let text = utf8
        let day = utcDaySeconds(text)
        guard text.count <= 40, let seconds = day ?? utcSeconds(text) else {
            throw refused(expected: "a day as 2026-01-31 or a moment as 2026-01-31T10:00:00Z")
        }
        return day != nil && isEnd ? seconds + Day.seconds : seconds
    }

    /// Parses "2026-01-31T10:00:00Z=model.json" into the time and the file.
    func datedModel() throws(CommandEnd) -> (from: Int64, file: [UInt8]) {
        guard let (from, file) = pair, from.count < 64 else { throw refused(expected: "FROM=FILE") }
        guard let moment = unixSeconds(from) else {
            throw refused("expected 2026-01-31T10:00:00Z or Unix seconds, got \"\(shown(from))\"")
        }
        return (moment, file)
    }

    /// The same, or only a file without a time. If the text before a "=" is not a time, the "=" belongs to the file's
    /// name.
    var modelFile: (from: Int64?, file: [UInt8]) {
        guard let (from, file) = pair, from.count < 64, let moment = unixSeconds(from) else {
            return (nil, utf8)
        }
        return (moment, file)
    }

    /// The texts before and after the first "="; nil if one is empty.
    var pair: (before: [UInt8], behind: [UInt8])? {
        let text = utf8
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")), equals > 0, equals < text.count - 1 else {
            return nil
        }
        return ([UInt8](text[..<equals]), [UInt8](text[(equals + 1)...]))
    }

    /// The source that the option names, which is read at the start and again on SIGHUP.
    func source(_ use: ConfigurationSource.Use, _ text: [UInt8]? = nil) -> ConfigurationSource {
        ConfigurationSource("\(option) \(message)", use, text ?? utf8)
    }
}

/// Parses a day, a time or Unix seconds.
private func unixSeconds(_ text: [UInt8]) -> Int64? {
    unixSeconds(digits: text) ?? utcDaySeconds(text) ?? utcSeconds(text)
}

/// A value as shown in messages, with passwords masked: it may be a store's URL meant for another option.
private func shown(_ value: [UInt8]) -> Message { value.withUnsafeBytes { maskedURL($0) } }
