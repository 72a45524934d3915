import SKANCommandOutput
import SKANCommandServer
import SKANCore
import SKANSystem

/// A subcommand: its manual page, its options, and its action.
struct Subcommand: Sendable {
    let page: CommandPage
    private let act: @Sendable ([CText]) throws(CommandEnd) -> ExitCode

    /// `values`: makes the values that `options` fill in. `reportsProblems`: whether the action itself reports problems
    /// of the command line; otherwise the first problem is reported and the action is not called.
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

    /// Makes a subcommand without options.
    init(
        _ name: StaticString, _ arguments: [StaticString], summary: StaticString, _ text: StaticString,
        _ sections: [HelpSection], action: @escaping @Sendable ([CText]) throws(CommandEnd) -> ExitCode
    ) {
        self.init(name, arguments, summary: summary, text, sections, values: false) {
            given throws(CommandEnd) in try action(given.arguments)
        }
    }

    /// `words`: the words after the subcommand's name.
    func run(_ words: [CText]) -> ExitCode {
        do throws(CommandEnd) {
            return try act(words)
        } catch {
            let code = error.say()
            if case .usage = error { complainPlainly("Try: skan \(page.name) --help") }
            return code
        }
    }

    /// Returns the subcommand whose name the words begin with; nil if there is none.
    static func find(_ words: [[UInt8]], among all: [Subcommand]) -> Subcommand? {
        all.first { words.starts(with: $0.page.words) }
    }
}

struct GivenLine<Values> {
    /// The values that the options have filled in.
    var values: Values
    let arguments: [CText]
    let options: GivenOptions
    var problems: ConfigurationProblems
}

extension Subcommand {
    /// All subcommands, in the order in which help lists them.
    static var all: [Subcommand] {
        [
            .show, .export, .import, .move, .check, .purge, .rename, .forget, .serve, .receive, .modelCheck,
            .modelTable, .modelTry, .modelDecode, .modelNew, .modelImport, .modelExport, .report, .postbacks, .refused,
            .verify, .outbox,
        ]
    }
}
