import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem

/// Reads the words of a command line according to a command's options. Continues after a wrong word, to find all
/// problems.
struct OptionReading {
    private let options: [CommandOption]
    /// The words that are not options, in order.
    private(set) var arguments: [CText] = []
    private(set) var problems = ConfigurationProblems()
    private(set) var asksForHelp = false
    /// The names of the options given on the command line or in files, without dashes.
    private(set) var given = GivenOptions()

    init(_ groups: [CommandOptionGroup]) { options = groups.flatMap { $0.options } }

    mutating func read(_ words: [CText]) {
        var rest = words[...]
        while let word = rest.popFirst(), !asksForHelp {
            let text = word.message.utf8
            if text == dashes {
                arguments += rest
                return
            }
            if text.count > 1 && text.starts(with: dashes.prefix(1)) {
                do throws(CommandEnd) { try readOption(text, &rest) } catch { problems.add(error) }
            } else {
                arguments.append(word)
            }
        }
    }

    /// Reads "--name", "--name=value", or "--name" with the next word as its value.
    private mutating func readOption(_ text: [UInt8], _ rest: inout ArraySlice<CText>) throws(CommandEnd) {
        let equals = text.firstIndex(of: UInt8(ascii: "="))
        let name = [UInt8](text[..<(equals ?? text.count)].dropFirst(2))
        // Errors do not show what follows the "=", since it may be secret.
        let written = Message(utf8: [UInt8](text[..<(equals ?? text.count)]))
        if text.elementsEqual(("-h" as StaticString).bytes) || text.elementsEqual(("--help" as StaticString).bytes) {
            asksForHelp = true
            return
        }
        guard text.starts(with: dashes) else {
            throw .usage(what: Message(utf8: [UInt8](text.prefix(2))), why: "no such option")
        }
        let isFile = name.elementsEqual(("options" as StaticString).bytes) && !options.isEmpty
        let option = isFile ? nil : try option(startingWith: name, written)
        var value = equals.map { CText(text[($0 + 1)...]) }
        if let option, !option.takesValue {
            if value != nil { throw .usage(what: written, why: "this option takes no value") }
        } else if value == nil {
            guard let next = rest.popFirst() else {
                throw .usage(what: written, why: "expected a value after this option")
            }
            value = next
        }
        guard let option else { return try readFile(value ?? CText([])) }
        given.add(option.name)
        try option.take(GivenValue(option: "--\(option.name)", text: value ?? CText([]), place: nil))
    }

    /// Returns the option with this name, or the only one whose name begins with it. Otherwise throws an error that
    /// names the options that may have been meant. `written`: the option as the user wrote it, for the error.
    private func option(startingWith name: [UInt8], _ written: Message) throws(CommandEnd) -> CommandOption {
        if let option = option(named: name[...]) { return option }
        let fitting = name.isEmpty ? [] : options.filter { $0.name.bytes.starts(with: name) }
        if fitting.count == 1 { return fitting[0] }
        if fitting.isEmpty {
            throw .usage(what: written, why: "no such option\(suggestion(nearest(to: name)))")
        }
        let names = fitting.prefix(OptionReading.mostNamed).map { "--\($0.name)" as Message }
        let more: Message = fitting.count > names.count ? ", and \(fitting.count - names.count) more" : ""
        throw .usage(what: written, why: "an abbreviation of \(joinedWords(names, "and"))\(more)")
    }

    /// The maximum number of options that an error names.
    private static var mostNamed: Int { 8 }

    private func nearest(to name: [UInt8]) -> [Message] {
        SKANCommand.nearest(to: name, among: options.map { [UInt8]($0.name.bytes) }).map { "--\(Message(utf8: $0))" }
    }

    private func option(named name: ArraySlice<UInt8>) -> CommandOption? {
        options.first { name.elementsEqual($0.name.bytes) }
    }
}

extension OptionReading {
    /// Reads a file with a line "name = value" for each option.
    private mutating func readFile(_ path: CText) throws(CommandEnd) {
        let limit = 65_536
        let text: [UInt8]
        do throws(FileTrouble) { text = try SKANCommandOutput.readFile(path, limit: limit, isRegular: true) } catch {
            throw .complaint(path.message, error.words(limit: limit))
        }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let line = OptionLine(line, "\(path.message):\(index + 1)")
            do throws(CommandEnd) { try readLine(line) } catch { problems.add(error) }
        }
    }

    private mutating func readLine(_ line: OptionLine) throws(CommandEnd) {
        if line.name.isEmpty && line.value == nil { return }
        if let place = line.illegalPlace { throw .usage(what: place, why: "expected text, got a control character") }
        guard let option = option(named: line.name) else {
            throw .usage(what: line.place(of: line.name), why: unknown(line))
        }
        let name = Message(utf8: [UInt8](line.name))
        if option.takesValue != (line.value != nil) {
            let why: StaticString =
                option.takesValue ? "expected \"=\" and a value after this option" : "this option takes no value"
            throw .usage(what: line.place(of: line.name), why: "\(name): \(why)")
        }
        let value = line.value ?? []
        let place = line.place(of: line.value ?? line.name)
        given.add(option.name)
        try option.take(GivenValue(option: "--\(option.name)", text: CText(value), place: place))
    }

    /// Returns the error for a line that names no option. It shows the line's text only if that may be an option's
    /// name; any other text may be a value, which may be secret.
    private func unknown(_ line: OptionLine) -> Message {
        guard line.value != nil else {
            return "no such option; expected NAME = VALUE, or the name of an option without one"
        }
        let isName = line.name.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || $0 == UInt8(ascii: "-") }
        if !isName { return "no such option" }
        let name = [UInt8](line.name)
        return "\"\(Message(utf8: name))\": no such option\(suggestion(nearest(to: name)))"
    }
}

/// The names of the options that were given, each once, in the order in which they were first given.
struct GivenOptions {
    private var names: [StaticString] = []

    mutating func add(_ name: StaticString) {
        if !has(name) { names.append(name) }
    }

    func has(_ name: StaticString) -> Bool { names.contains { $0.bytes.elementsEqual(name.bytes) } }
}

private var dashes: [UInt8] { [UInt8](StaticString("--").bytes) }
