/// Rules, "Apply response", "Taking a value", "SKAN 3 values": what an answer does to an install, steps 4 to 6. What
/// the snippet did otherwise: Rules, "Published snippet".
package struct ResponseApplication: Rule {
    private let response: Response
    /// Of the request; 0 = none.
    private let ticket: UInt64
    private let now: Int64
    package private(set) var update: Update?

    package init(response: Response, ticket: UInt64, now: Int64) {
        self.response = response
        self.ticket = ticket
        self.now = now
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        guard let first = state.first, let last = state.last else { return .unchanged(.notRegistered) }
        try state.requireNoModel()
        switch state.protocolVersion {
        case .skan4: return applySKAN4(&state, Window.skan4(first: first, now: now))
        case .skan3: return applySKAN3(&state, Window.skan3(last: last, now: now))
        }
    }

    private mutating func applySKAN4(_ state: inout InstallState, _ window: Window?) -> Verdict {
        guard let window else { return .unchanged(.windowClosed) }
        guard case .value(let value) = response else { return .unchanged(.noNewValue) }
        if let meant = value.window, meant != window.rawValue { return .unchanged(.staleResponse) }
        if isStale(state) { return .unchanged(.staleResponse) }
        if value.fine == nil, window == .first { return .unchanged(.noNewValue) }
        var windowState = state.windows[window]
        guard windowState.lock == nil else { return .unchanged(.windowLocked) }

        if window == .first {
            state.previousFine = state.fine
            state.fine = value.fine
        }
        windowState.previousCoarse = windowState.coarse
        windowState.coarse = value.coarse
        if value.locksWindow { windowState.lock = now }
        state.windows[window] = windowState
        accept(&state, window, value.fine, value.coarse, locksWindow: value.locksWindow)
        return .changed()
    }

    private mutating func applySKAN3(_ state: inout InstallState, _ window: Window?) -> Verdict {
        guard let window else { return .unchanged(.windowClosed) }
        guard case .value(let value) = response, let fine = value.fine else { return .unchanged(.noNewValue) }
        if isStale(state) { return .unchanged(.staleResponse) }
        guard fine > state.fine ?? 0 else { return .unchanged(.noNewValue) }
        state.fine = fine
        accept(&state, window, fine, nil, locksWindow: false)
        return .changed()
    }

    private func isStale(_ state: InstallState) -> Bool { ticket != 0 && ticket <= state.newestTicket }

    private mutating func accept(
        _ state: inout InstallState, _ window: Window, _ fine: UInt8?, _ coarse: UInt8?, locksWindow: Bool
    ) {
        state.last = now
        if ticket != 0 { state.newestTicket = ticket }
        update = state.giveUpdate(window: window, fine: fine, coarse: coarse, locksWindow: locksWindow, now: now)
    }
}
