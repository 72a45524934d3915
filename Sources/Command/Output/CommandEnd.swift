package import SKANCore

/// How the command ends: its exit code.
package enum ExitCode: Int32, Sendable {
    case fine = 0
    /// Something was found or failed; it was said.
    case found = 1
    case usage = 2
}

/// How a part of the command ends early.
package enum CommandEnd: Error {
    /// "skan: what: why".
    case complaint(what: Message, why: Message, ExitCode)
    /// The same of the command line, and where help is.
    case usage(what: Message, why: Message)
    /// Everything was said.
    case done(ExitCode)
}

extension CommandEnd {
    package static func complaint(_ what: Message, _ why: Message) -> CommandEnd {
        .complaint(what: what, why: why, .found)
    }

    /// Says it, for those who go on, and answers the exit code.
    package func say() -> ExitCode {
        switch self {
        case .complaint(let what, let why, let code):
            complain(what, why)
            return code
        case .usage(let what, let why):
            complain(what, why)
            return .usage
        case .done(let code):
            return code
        }
    }
}
