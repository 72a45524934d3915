internal import SKANCore

/// What a step of a trial came to: how it ended, and what is there after it.
struct TrialResult {
    let status: Status
    /// The update for the device.
    let update: ValueUpdate?
    let state: InstallState
    let model: ConversionModel
    /// The time of the step, in Unix seconds.
    let now: Int64

    init(status: Status, update: ValueUpdate?, state: InstallState, model: ConversionModel, now: Int64) {
        self.status = status
        self.update = status == .ok ? update : nil
        self.state = state
        self.model = model
        self.now = now
        window = state.window(at: now)
        let progress = state.model ?? InstallModel(model)
        let winners = window.map { model.winners(state.conversion, state.revenue, progress, $0, now: now) }
        rule = winners.flatMap { $0.rule < 0 ? nil : $0.rule }
        coarseRule = winners.flatMap { $0.coarseRule < 0 ? nil : $0.coarseRule }
    }

    /// The open window, in which the model sees something; nil where the install is not registered, or all is closed.
    let window: Window?
    /// The number of the rule of the window that holds.
    let rule: Int?
    /// The same of the coarse rules.
    let coarseRule: Int?

    /// The days since the first call at a time, the first day is 0; nil where the install is not registered.
    func day(at time: Int64) -> Int64? { state.first.map { max(0, time - $0) / 86_400 } }

    /// How often the model counted sessions, or an event, in the window.
    func count(ofPlace place: Int) -> UInt32 {
        guard let window, let progress = state.model else { return 0 }
        return progress.count(place, in: window)
    }

    /// The library's explanation; nil where the model sees nothing.
    var explanation: Message? {
        window.map { Message(utf8: model.explain(state, $0, now: now).array) }
    }
}
