internal import SKANCommandOutput
internal import SKANCommandServer
internal import SKANCore
internal import SKANSystem

/// A subcommand: its page of the manual, its options, and what it does.
struct Subcommand: Sendable {
    let page: CommandPage
    private let act: @Sendable ([CText]) throws(CommandEnd) -> ExitCode

    /// `values`: what the rows of `options` fill. `reportsProblems`: the action reports every problem of the command
    /// line; else it is not called where there is one.
    init<Values>(
        _ name: StaticString, _ arguments: [StaticString] = [], summary: StaticString, _ text: StaticString,
        _ sections: [HelpSection] = [], values: @autoclosure @escaping @Sendable () -> Values,
        options groups: OptionGroup<Values>..., reportsProblems: Bool = false,
        action: @escaping @Sendable (inout GivenLine<Values>) throws(CommandEnd) -> ExitCode
    ) {
        let page = CommandPage(
            name: name, arguments: arguments, summary: summary, text: text, sections: sections
        ) {
            let fresh = FilledValues(values())
            return groups.map { $0.bound(fresh) }
        }
        self.page = page
        act = { words throws(CommandEnd) in
            let filled = FilledValues(values())
            var reading = OptionReading(groups.map { $0.bound(filled) })
            reading.read(words)
            if reading.asksForHelp {
                StandardOutput.write(page.help)
                return .fine
            }
            var given = GivenLine(
                values: filled.values, arguments: reading.arguments, options: reading.given,
                problems: reading.problems)
            if let problem = page.problem(of: given.arguments) { given.problems.add(problem) }
            if !reportsProblems { try given.problems.throwFirst() }
            return try action(&given)
        }
    }

    /// A subcommand without options.
    init(
        _ name: StaticString, _ arguments: [StaticString], summary: StaticString, _ text: StaticString,
        _ sections: [HelpSection], action: @escaping @Sendable ([CText]) throws(CommandEnd) -> ExitCode
    ) {
        self.init(name, arguments, summary: summary, text, sections, values: false) {
            given throws(CommandEnd) in try action(given.arguments)
        }
    }

    /// Runs it with the words behind its name.
    func run(_ words: [CText]) -> ExitCode {
        do throws(CommandEnd) {
            return try act(words)
        } catch {
            let code = error.say()
            if case .usage = error { complainPlainly("Try: skan \(page.name) --help") }
            return code
        }
    }

    /// The command that the words begin with.
    static func find(_ words: [[UInt8]], among all: [Subcommand]) -> Subcommand? {
        all.first { words.starts(with: $0.page.words) }
    }
}

/// What a command line gave.
struct GivenLine<Values> {
    /// What the options have filled.
    var values: Values
    let arguments: [CText]
    let options: GivenOptions
    var problems: ConfigurationProblems
}

extension Subcommand {
    /// All of them, as help lists them.
    static var all: [Subcommand] {
        [
            .show, .export, .import, .move, .check, .purge, .serve, .receive, .modelCheck, .modelTable, .modelTry,
            .modelDecode, .modelNew, .modelImport, .modelExport, .report, .postbacks, .verify, .outbox,
        ]
    }
}
