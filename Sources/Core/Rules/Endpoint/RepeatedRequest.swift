/// Rules, "Repeated requests": the last value that was decided for a user. An endpoint answers a repeated request with
/// it. The user's record keeps it as the last update.

extension Conversion {
    /// Takes the last value once more, if its window is open and the install, as the request describes it, does not
    /// have the value. `kept`: the stored conversion of the user.
    mutating func takeAgain(_ kept: Conversion, at now: Int64) -> Verdict {
        model = kept.model
        lastUpdate = kept.lastUpdate
        let now = time(now)
        guard let window = window(at: now) else { return .unchanged(.windowClosed) }
        guard let value = kept.lastUpdate, value.window == window else { return .unchanged(.noNewValue) }
        let taken = TakenValue(fine: value.fine, coarse: value.coarse, locksWindow: value.locksWindow)
        return take(taken, .other, in: window, after: 0, now: now)
    }

    /// Whether a value was decided for the open window, and the conversion lacks it. `window`: the open window.
    fileprivate func lacks(_ value: ValueUpdate, in window: Window) -> Bool {
        guard value.window == window else { return false }
        let own = windows[window]
        return (window == .first && fine != value.fine) || own.coarse != value.coarse
            || (value.locksWindow && own.lock == nil)
    }

    /// Changes the conversion as if a value had been taken.
    fileprivate mutating func have(_ value: ValueUpdate) {
        if value.window == .first { fine = value.fine }
        windows[value.window].coarse = value.coarse
        if value.locksWindow { windows[value.window].lock = value.timestamp }
    }
}

extension ModelDecision {
    /// The last value after this decision. `before`: the last value before this decision; `told`: the conversion as the
    /// request describes it; `state`: the user's state, with the counts of this decision.
    ///
    /// If the install lacks the earlier value, the answer with that value was lost or is still on its way. A new value
    /// is then decided as for an install that has the earlier one.
    func lastValue(
        after before: ValueUpdate?, told: Conversion, _ state: borrowing InstallState, _ models: [ConversionModel],
        at now: Int64
    ) throws(Failure) -> ValueUpdate? {
        let now = state.conversion.time(now)
        guard let before, let window = state.conversion.window(at: now), told.lacks(before, in: window) else {
            return update ?? before
        }
        let model = try models.model(of: state.conversion)
        let winners = model.winners(state.conversion, state.revenue, in: window, at: now)
        var known = told
        known.have(before)
        guard known.decide(model, winners, in: window, after: 0, at: now).isChanged else { return before }
        return known.lastUpdate
    }
}
