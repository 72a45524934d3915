package import SKANCommandOutput
import SKANCore

package struct ConfigurationProblems {
    package private(set) var list: [CommandEnd] = []

    package init() {}

    package mutating func add(_ problem: CommandEnd) { list.append(problem) }

    /// Returns what `body` returns. If `body` throws, adds the problem and returns nil.
    package mutating func noting<Made>(_ body: () throws(CommandEnd) -> Made) -> Made? {
        do throws(CommandEnd) { return try body() } catch {
            add(error)
            return nil
        }
    }

    package func throwFirst() throws(CommandEnd) {
        if let first = list.first { throw first }
    }

    /// Reports each problem, and returns the highest of their exit codes.
    package func say() -> ExitCode {
        var code = ExitCode.fine
        for problem in list {
            let own = problem.say()
            if own.rawValue > code.rawValue { code = own }
        }
        return code
    }
}

extension CommandEnd {
    /// The problem as the text of a log line.
    var words: Message {
        switch self {
        case .complaint(let what, let why, _), .usage(let what, let why): "\(what): \(why)"
        case .done: ""
        }
    }
}
