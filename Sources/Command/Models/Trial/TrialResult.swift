import SKANCore

/// The result of a step of a trial: its status, and the state after it.
struct TrialResult {
    let status: Status
    let update: ValueUpdate?
    let model: ConversionModel
    /// The time of the step, in Unix seconds.
    let now: Int64
    /// The install's conversion, or that of its last re-engagement if the model is for re-engagements.
    let conversion: Conversion
    /// The open window; nil if the conversion has not begun, has ended, or has no open window.
    let window: Window?
    /// The index of the window's rule that wins; nil if no rule holds.
    let rule: Int?
    /// The index of the coarse rule that wins; nil if no coarse rule holds.
    let coarseRule: Int?
    private let state: InstallState
    /// The install's last re-engagement; nil if it has none, or if the model is for installs.
    private let reengagement: Reengagement?

    init(status: Status, update: ValueUpdate?, state: InstallState, model: ConversionModel, now: Int64) {
        self.status = status
        self.update = status == .ok ? update : nil
        self.state = state
        self.model = model
        self.now = now
        reengagement = model.isForReengagements ? state.reengagements.last : nil
        if model.isForReengagements {
            conversion = reengagement?.conversion ?? Conversion(.skan4)
            window = reengagement.flatMap { $0.isActive(at: now) ? $0.openWindow(at: now) : nil }
        } else {
            conversion = state.conversion
            window = conversion.window(at: now)
        }
        var winners: WinningRules?
        if let window {
            winners = model.winners(conversion, state.revenue, reengagement, in: window, at: now)
        }
        rule = winners.flatMap { $0.rule < 0 ? nil : $0.rule }
        coarseRule = winners.flatMap { $0.coarseRule < 0 ? nil : $0.coarseRule }
    }

    /// The days since the conversion began; the first day is 0. nil if it has not begun.
    func day(at time: Int64) -> Int64? { conversion.first.map { max(0, time - $0) / Day.seconds } }

    /// The number of sessions (`place` 0), or of the model's event with the index `place` - 1, counted in the window.
    func count(ofPlace place: Int) -> UInt32 {
        guard let window, let progress = conversion.model else { return 0 }
        return progress.count(place, in: window)
    }

    /// Returns the revenue that the window's rules see, in the model's currency.
    func total(_ axis: RevenueAxis, in window: Window) -> Money {
        Money(units: model.total(axis, of: state.revenue, reengagement, in: window))
    }

    /// The currencies of the install's revenue for which the model has no rate.
    var uncountedCurrencies: [Currency] { model.uncountedCurrencies(of: state.revenue) }

    /// The library's explanation of the decision; nil without an open window.
    var explanation: Message? {
        guard let window else { return nil }
        return Message(utf8: model.explain(conversion, state.revenue, reengagement, in: window, at: now).array)
    }
}
