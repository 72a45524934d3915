internal import SKANCore

/// The reason why statements that were sent, or were about to be, did not succeed.
struct ServerTrouble: Error {
    enum Kind {
        /// The server says that nothing was applied.
        case refused
        /// The server says that nothing was applied and that the client should try again: a deadlock or a failed
        /// serialization.
        case again
        /// Nothing was sent that the server could have applied.
        case unreached
        /// It is unknown what was applied: the session was lost without an answer, or the server or a pooler does not
        /// know.
        case unknown
        /// The deadline passed without an answer.
        case late
    }

    let kind: Kind
    let message: Message
    var state = ServerState()

    /// Whether certainly nothing was applied.
    var isHarmless: Bool {
        switch kind {
        case .refused, .again, .unreached: true
        case .unknown, .late: false
        }
    }

    /// Whether the session failed rather than a statement, so that there is nothing more to read from the server.
    var isOfSession: Bool { kind == .late || (kind == .unknown && state.code.isEmpty) }

    /// The error to throw if this one occurred before the statement that applies the changes, such as COMMIT, was sent.
    /// It says that certainly nothing was applied.
    var beforehand: ServerTrouble {
        isHarmless ? self : ServerTrouble(kind: .unreached, message: message, state: state)
    }
}

/// An SQLSTATE; empty if the server sent none.
struct ServerState {
    let code: [UInt8]

    init(_ code: [UInt8] = []) { self.code = code }

    /// Whether the code is one of `classes`, or begins with one of them, such as "53".
    func isOf(_ classes: StaticString...) -> Bool {
        classes.contains { code.starts(with: $0.bytes) }
    }

    /// Whether the session can be used after an error with this code, because its server, its table and its rights are
    /// unchanged.
    var leavesSession: Bool { isOf("40001", "40P01", "53", "55", "57014") }

    /// Whether the error is about a statement's name, which happens if a pooler also lends the session to other
    /// clients.
    var isOfName: Bool { isOf("26000", "42P05") }

    /// Returns what an error of the server says about a change.
    ///
    /// An ERROR ends the statement and rolls its transaction back ("Message Formats", "Error and Notice Message
    /// Fields"). It never follows a commit that was written, because the whole PostgreSQL server would stop first. A
    /// FATAL or PANIC ends the session, and a client cannot see whether that was before or after the commit. An ERROR
    /// also leaves the outcome open if the server that sent it is not the one that commits: CockroachDB sends 40003,
    /// statement_completion_unknown; Citus and connection poolers send class 08 when they have lost the server behind
    /// them, and 57P01 to 57P05 when that server went away; engines that have lost track send "system error" and
    /// "internal error", classes 58 and XX.
    func meaning(isError: Bool) -> ServerTrouble.Kind {
        if !isError || isOf("08", "57P", "58", "XX", "40003") { return .unknown }
        return isOf("40001", "40P01") ? .again : .refused
    }
}
