internal import CSKANSystem
package import SKANCore
internal import SKANSystem

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
    /// Everything has been printed.
    case done(ExitCode)
}

extension CommandEnd {
    package static func complaint(_ what: Message, _ why: Message) -> CommandEnd {
        .complaint(what: what, why: why, .found)
    }

    /// The same of a part of `place`, an option for instance.
    package func within(_ place: Message) -> CommandEnd {
        guard case .complaint(let what, let why, let code) = self else { return self }
        return .complaint(what: place, why: "\(masked(what)): \(why)", code)
    }

    /// Says it, for those who go on, and answers the exit code. A word of the command line that stands in the wrong
    /// place may be a store's URL: its password is not shown.
    package func say() -> ExitCode {
        switch self {
        case .complaint(let what, let why, let code):
            complain(masked(what), why)
            return code
        case .usage(let what, let why):
            complain(masked(what), why)
            return .usage
        case .done(let code):
            return code
        }
    }
}

private func masked(_ word: Message) -> Message { word.utf8.withUnsafeBytes { maskedURL($0) } }

/// Says "skan: what: why" on standard error, with what a terminal might obey escaped.
package func complain(_ what: Message, _ why: Message) {
    complainPlainly("skan: \(what): \(why)")
}

/// Writes a line to standard error unchanged, without "skan: ".
package func complainPlainly(_ line: Message) {
    Progress.hide()
    let escaped = line.utf8.withUnsafeBytes { escapedForTerminal($0) }
    let text = escaped.utf8 + [UInt8(ascii: "\n")]
    text.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, system_errors()) }
}

/// "s" where there are not exactly one.
package func plural(_ count: UInt64) -> StaticString { count == 1 ? "" : "s" }
