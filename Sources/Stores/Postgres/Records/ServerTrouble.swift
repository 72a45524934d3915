internal import SKANCore

/// Why statements that were sent, or tried, were not done.
struct ServerTrouble: Error {
    enum Kind {
        /// The server says that nothing was applied.
        case refused
        /// The same, and trying again is what it asks for: a deadlock, a failed serialization.
        case again
        /// Nothing was sent that could be applied.
        case unreached
        /// The session was lost without an answer, or the server, or what is between, does not know.
        case unknown
        /// The deadline passed without an answer.
        case late
    }

    let kind: Kind
    let message: Message
    var state = ServerState()

    /// Whether nothing was applied.
    var isHarmless: Bool {
        switch kind {
        case .refused, .again, .unreached: true
        case .unknown, .late: false
        }
    }

    /// Whether the session failed and not a statement: there is nothing more to read from the server.
    var isOfSession: Bool { kind == .late || (kind == .unknown && state.code.isEmpty) }

    /// The same of a statement that comes before the one that counts, of which nothing was sent.
    var beforehand: ServerTrouble {
        isHarmless ? self : ServerTrouble(kind: .unreached, message: message, state: state)
    }
}

/// An SQLSTATE; empty where the server gave none.
struct ServerState {
    let code: [UInt8]

    init(_ code: [UInt8] = []) { self.code = code }

    /// Whether the code is one of these, or is in one of these classes.
    func isOf(_ classes: StaticString...) -> Bool {
        classes.contains { code.starts(with: $0.bytes) }
    }

    /// Whether a session is as good as before: its server, its table and its rights are.
    var leavesSession: Bool { isOf("40001", "40P01", "53", "55", "57014") }

    /// Whether it concerns a statement's name: another program lends the session to others, too.
    var isOfName: Bool { isOf("26000", "42P05") }

    /// What an error of the server says about a change.
    ///
    /// An ERROR ends the statement and rolls its transaction back ("Message Formats", "Error and Notice Message
    /// Fields"; a commit that has been written is never followed by one, PostgreSQL stops as a whole before that). A
    /// FATAL or PANIC ends the session, and where that falls beside the commit cannot be seen from here. Nor is an
    /// ERROR final where the server that sent it is not the one that commits: CockroachDB says 40003,
    /// statement_completion_unknown; class 08 is how Citus and connection poolers tell that they lost the server
    /// behind them; 57P01 to 57P05, that it went away; and "system error" and "internal error", 58 and XX, are what
    /// engines say that lost track.
    func meaning(isError: Bool) -> ServerTrouble.Kind {
        if !isError || isOf("08", "57P", "58", "XX", "40003") { return .unknown }
        return isOf("40001", "40P01") ? .again : .refused
    }
}
