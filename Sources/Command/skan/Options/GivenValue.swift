import SKANCommandModels
import SKANCommandOutput
import SKANCommandRows
import SKANCommandServer
import SKANCore
import SKANSystem

/// The value given to an option; empty for an option that takes no value.
struct GivenValue {
    /// The option with its dashes, such as "--model".
    let option: Message
    let text: CText
    /// The place of the option in a file, as "FILE:LINE:COLUMN"; nil if the option is on the command line.
    let place: Message?

    var message: Message { text.message }
    var utf8: [UInt8] { message.utf8 }

    func refused(_ why: Message) -> CommandEnd {
        guard let place else { return .usage(what: option, why: why) }
        return .usage(what: place, why: "\(option): \(why)")
    }

    /// `expected`: a description of valid values.
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

    /// Throws an error if the value is none of the choices.
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

    /// Parses a day or a time, and returns Unix seconds. `isEnd`: whether a day stands for its end, which is the start
    /// of the next day.
    func moment(isEnd: Bool = false) throws(CommandEnd) -> Int64 {
        let text = utf8
        let day = utcDaySeconds(text)
        guard text.count <= 40, let seconds = day ?? utcSeconds(text) else {
            throw refused(expected: "a day as 2026-01-31 or a moment as 2026-01-31T10:00:00Z")
        }
        return day != nil && isEnd ? seconds + Day.seconds : seconds
    }

    /// Parses "2026-01-31T10:00:00Z=model.json", or "990001234:2026-01-31T10:00:00Z=model.json".
    func datedModel() throws(CommandEnd) -> GivenModelFile {
        guard let (head, file) = pair else { throw refused(expected: "FROM=FILE or APP:FROM=FILE") }
        let (apps, from) = appsBefore(head)
        guard let moment = unixSeconds(from) else {
            throw refused("expected 2026-01-31T10:00:00Z or Unix seconds, got \"\(shown(from))\"")
        }
        return GivenModelFile(apps: apps, from: moment, file: file)
    }

    /// The value parsed in one of the forms of `datedModel`, as "APP=FILE", or as a file's name alone. If the text
    /// before a "=" is neither apps nor a time, the "=" belongs to the file's name.
    var modelFile: GivenModelFile {
        guard let (head, file) = pair else { return GivenModelFile(apps: .unsaid, from: nil, file: utf8) }
        let (apps, from) = appsBefore(head)
        if let moment = unixSeconds(from), !apps.isUnsaid || !isAppID(from) {
            return GivenModelFile(apps: apps, from: moment, file: file)
        }
        return appModelFile
    }

    /// The value parsed as "APP=FILE", or as a file's name alone.
    var appModelFile: GivenModelFile {
        guard let (head, file) = pair, let apps = ModelApps(head) else {
            return GivenModelFile(apps: .unsaid, from: nil, file: utf8)
        }
        return GivenModelFile(apps: apps, from: nil, file: file)
    }

    /// Splits "990001234:2026-01-31" into the apps and the rest. Text that names no apps is all rest.
    private func appsBefore(_ head: [UInt8]) -> (ModelApps, rest: [UInt8]) {
        guard let colon = head.firstIndex(of: UInt8(ascii: ":")), let apps = ModelApps(head[..<colon]) else {
            return (.unsaid, head)
        }
        return (apps, [UInt8](head[(colon + 1)...]))
    }

    /// The texts before and after the first "="; nil if either is empty or there is no "=".
    var pair: (before: [UInt8], behind: [UInt8])? {
        let text = utf8
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")), equals > 0, equals < text.count - 1 else {
            return nil
        }
        return ([UInt8](text[..<equals]), [UInt8](text[(equals + 1)...]))
    }

    /// Returns the source that the option names, which is read at the start and again on SIGHUP. `text`: the part of
    /// the value that names the source; nil for the whole value.
    func source(_ use: ConfigurationSource.Use, _ text: [UInt8]? = nil) -> ConfigurationSource {
        ConfigurationSource("\(option) \(message)", use, text ?? utf8)
    }
}

/// A model's file as given: the apps that the model is for, and the time in Unix seconds from which it is in use.
struct GivenModelFile {
    let apps: ModelApps
    let from: Int64?
    let file: [UInt8]

    /// The time from which the model is in use: `from`, or `DatedModels.always` if no time is given.
    var start: Int64 { from ?? DatedModels.always }
}

/// Returns whether a number alone is the id of an app rather than a time. Unix seconds from 2018 to 2099 are times, and
/// so is 0: no postback is older than 2018, and models from 2100 on are not in use yet.
private func isAppID(_ digits: [UInt8]) -> Bool {
    guard let number = wholeNumber(ofDigits: digits), number > 0 else { return false }
    return !(1_514_764_800..<4_102_444_800).contains(number)
}

/// Parses a day, a time or Unix seconds, and returns Unix seconds; nil for any other text.
private func unixSeconds(_ text: [UInt8]) -> Int64? {
    guard text.count < 64 else { return nil }
    return unixSeconds(digits: text) ?? utcDaySeconds(text) ?? utcSeconds(text)
}

/// Returns a value as messages show it. Passwords are masked, since it may be a store's URL meant for another option.
private func shown(_ value: [UInt8]) -> Message { value.withUnsafeBytes { maskedURL($0) } }
