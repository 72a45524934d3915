internal import SKANCommandOutput
internal import SKANCommandServer
internal import SKANCore
internal import SKANSystem

/// A subcommand: its page of the manual, its options, and what it does.
struct Subcommand: Sendable {
    let page: CommandPage
    private let run: @Sendable ([CText], _ page: CommandPage) throws(CommandEnd) -> ExitCode

    /// `values`: what the rows of `options` fill. `reportsProblems`: the action reports every problem of the command
    /// line; else it is not called where there is one.
    init<Values>(
        _ name: StaticString, _ arguments: [StaticString] = [], summary: StaticString, _ text: StaticString,
        _ sections: [HelpSection] = [], values: @autoclosure @escaping @Sendable () -> Values,
        options groups: OptionGroup<Values>..., reportsProblems: Bool = false,
        action: @escaping @Sendable (inout OptionReading<Values>) throws(CommandEnd) -> ExitCode
    ) {
        page = CommandPage(
            name: name, arguments: arguments, summary: summary, text: text, sections: sections
        ) { words in
            var reading = OptionReading(values(), groups)
            reading.read(words)
            return (reading.shown(groups), reading.problems)
        }
        run = { words, page throws(CommandEnd) in
            var reading = OptionReading(values(), groups)
            reading.read(words)
            if reading.asksForHelp {
                StandardOutput.write(page.help)
                return .fine
            }
            if let problem = page.problem(of: reading.arguments) { reading.problems.add(problem) }
            if !reportsProblems { try reading.problems.throwFirst() }
            return try action(&reading)
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
            return try run(words, page)
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
