internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

/// What a subcommand is: one file, and one place in the table of them.
struct Subcommand: Sendable {
    typealias Action = @Sendable (inout GivenLine) throws(CommandEnd) -> ExitCode

    let usage: SubcommandUsage
    /// "model check" and so on, of a subcommand that is several.
    let parts: [Subcommand]
    private let action: Action

    init(
        _ name: StaticString, arguments: StaticString, summary: StaticString, help: Message,
        options: [CommandOption] = [], action: @escaping Action
    ) {
        usage = SubcommandUsage(name: name, arguments: arguments, summary: summary, help: help, options: options)
        parts = []
        self.action = action
    }

    /// One that is several. `noun`: what they do something with, "a model".
    init(
        _ name: StaticString, arguments: StaticString, summary: StaticString, help: Message, parts: [Subcommand],
        of noun: StaticString
    ) {
        usage = SubcommandUsage(name: name, arguments: arguments, summary: summary, help: help, options: [])
        self.parts = parts
        action = { line throws(CommandEnd) in try runPart(line, parts, of: noun) }
    }

    /// Runs it with the words of its command line, the first of which stands for its name.
    func run(_ words: [CText]) -> ExitCode {
        var line = GivenLine(usage, words)
        do throws(CommandEnd) {
            return try action(&line)
        } catch {
            let code = error.say()
            if case .usage = error { complainPlainly("Try: skan \(usage.name) --help") }
            return code
        }
    }
}

/// Runs the part that the first word names.
private func runPart(_ line: GivenLine, _ parts: [Subcommand], of noun: StaticString) throws(CommandEnd) -> ExitCode {
    let (own, arguments) = (line.usage.name, line.usage.arguments)
    guard line.words.count > 1 else {
        throw .usage(what: "\(own)", why: "expected what to do with \(noun): skan \(own) \(arguments)")
    }
    let word = line.words[1].message
    if asksForHelp(word) {
        line.usage.print()
        printSummaries(of: parts)
        return .fine
    }
    let name: Message = "\(own) \(word)"
    if let part = parts.first(where: { name.utf8.elementsEqual($0.usage.name.bytes) }) {
        return part.run([CText](line.words.dropFirst()))
    }
    if word.utf8.first == UInt8(ascii: "-") {
        throw .usage(what: word, why: "no such option, or not all of its name")
    }
    throw .usage(what: word, why: "no such thing to do with \(noun), expected: skan \(own) \(arguments)")
}

private func printSummaries(of parts: [Subcommand]) {
    for part in parts {
        StandardOutput.line("  skan \(padded("\(part.usage.name)", to: 12)) \(part.usage.summary)")
    }
    if let first = parts.first { StandardOutput.write("\nskan \(first.usage.name) --help and so on tell more.\n") }
}

func asksForHelp(_ word: Message) -> Bool {
    (["--help", "-h", "help"] as [StaticString]).contains { word.utf8.elementsEqual($0.bytes) }
}
