import CSKANSystem
package import SKANCore
import SKANSystem

package enum ExitCode: Int32, Sendable {
    case fine = 0
    /// Something was found or failed, and has been reported.
    case found = 1
    case usage = 2
}

/// The reason why a part of the command ends early.
package enum CommandEnd: Error {
    /// An error, which is printed as "skan: what: why".
    case complaint(what: Message, why: Message, ExitCode)
    /// An error in the command line; the message also names the help.
    case usage(what: Message, why: Message)
    /// An end without a message, because everything has been printed already.
    case done(ExitCode)
}

extension CommandEnd {
    package static func complaint(_ what: Message, _ why: Message) -> CommandEnd {
        .complaint(what: what, why: why, .found)
    }

    /// Returns the error with a message that begins with `place`, for example with the option whose file is wrong.
    package func within(_ place: Message) -> CommandEnd {
        guard case .complaint(let what, let why, let code) = self else { return self }
        return .complaint(what: place, why: "\(masked(what)): \(why)", code)
    }

    /// Prints the message and returns the exit code. Passwords are masked, since a misplaced word on the command line
    /// may be a store's URL.
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

/// Prints "skan: what: why" to standard error. Characters that a terminal might interpret are escaped.
package func complain(_ what: Message, _ why: Message) {
    complainPlainly("skan: \(what): \(why)")
}

/// Prints a line to standard error, without "skan: ". Characters that a terminal might interpret are escaped.
package func complainPlainly(_ line: Message) {
    Progress.hide()
    let escaped = line.utf8.withUnsafeBytes { escapedForTerminal($0) }
    let text = escaped.utf8 + [UInt8(ascii: "\n")]
    text.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, system_errors()) }
}

/// Returns the ending of a plural: "s", or nothing if the count is 1.
package func plural(_ count: UInt64) -> StaticString { count == 1 ? "" : "s" }
