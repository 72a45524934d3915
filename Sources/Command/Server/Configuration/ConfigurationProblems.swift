package import SKANCommandOutput
internal import SKANCore

/// What is wrong, all of it.
package struct ConfigurationProblems {
    package private(set) var list: [CommandEnd] = []

    package init() {}

    package mutating func add(_ problem: CommandEnd) { list.append(problem) }

    /// What `body` makes; nil where that is wrong.
    package mutating func noting<Made>(_ body: () throws(CommandEnd) -> Made) -> Made? {
        do throws(CommandEnd) { return try body() } catch {
            add(error)
            return nil
        }
    }

    /// Whoever goes no further says the first one.
    package func throwFirst() throws(CommandEnd) {
        if let first = list.first { throw first }
    }

    /// Says each, and answers the exit code of all.
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
    /// What a line of the log says.
    var words: Message {
        switch self {
        case .complaint(let what, let why, _), .usage(let what, let why): "\(what): \(why)"
        case .done: ""
        }
    }
}
