/// Rules, "Apply response": applies an endpoint's answer to an install, which is steps 4 to 6. Rules, "Published
/// snippet", lists what the snippet did differently.
package struct ResponseApplication: Rule {
    private let response: Response
    /// The ticket of the request; 0 if there is none.
    private let ticket: UInt64
    private let now: Int64
    private let start: UInt64
    package private(set) var update: ValueUpdate?

    /// An install's first update gets the number after `numbersFrom`.
    package init(response: Response, ticket: UInt64, now: Int64, numbersFrom start: UInt64 = 0) {
        self.response = response
        self.ticket = ticket
        self.now = now
        self.start = start
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        guard state.conversion.isRegistered else { return .unchanged(.notRegistered) }
        try state.conversion.requireNoModel()
        let now = state.conversion.time(now)
        guard let window = state.conversion.window(at: now) else { return .unchanged(.windowClosed) }
        guard case .value(let value) = response else { return .unchanged(.noNewValue) }
        if let meant = value.window, meant != window.rawValue { return .unchanged(.staleResponse) }
        if ticket != 0, ticket <= state.conversion.newestTicket { return .unchanged(.staleResponse) }
        let taken = TakenValue(fine: value.fine, coarse: value.coarse, locksWindow: value.locksWindow)
        let number = state.numberBefore(start)
        let verdict = state.conversion.take(taken, .any, in: window, after: number, now: now)
        if verdict.isChanged {
            if ticket != 0 { state.conversion.newestTicket = ticket }
            update = state.conversion.lastUpdate
        }
        return verdict
    }
}
