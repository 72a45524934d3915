/// Rules, "Model decision", "Model counts": what an install's conversion model does when values are updated: it counts
/// a session or an event, and takes the value of the rule that holds.
package struct ModelDecision: Sendable {
    private let models: [ConversionModel]
    private let event: EventName?
    private let clock: Int64
    /// What the clock counts as for the install: its window never goes back.
    private var now: Int64
    package private(set) var update: ValueUpdate?

    package init(models: [ConversionModel], event: UnsafeRawBufferPointer, now: Int64) {
        self.models = models
        self.event = EventName(event)
        clock = now
        self.now = now
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        now = state.conversion.modelTime(clock)
        guard state.isRegistered else { return .unchanged(.notRegistered) }
        guard let window = state.window(at: now) else { return .unchanged(.windowClosed) }
        let model = try models.model(of: state.conversion)
        var progress = state.model ?? InstallModel(model.version)
        var isCounted = false
        if let event, let place = model.place(of: event) {
            isCounted = progress.add(place, in: window)
            state.model = progress
        }
        let verdict = decide(&state.conversion, state.revenue, model, progress, window, after: state.lastUpdateNumber)
        return isCounted ? .changed(verdict.status) : verdict
    }

    private mutating func decide(
        _ conversion: inout Conversion, _ tables: borrowing RevenueTables, _ model: ConversionModel,
        _ progress: InstallModel, _ window: Window, after number: UInt64
    ) -> Verdict {
        let winner = model.winner(conversion, tables, progress, window, now: now)
        guard winner >= 0, let rule = model.window(window)?.rules[winner] else { return .unchanged(.noNewValue) }
        let taken = TakenValue(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
        let verdict = conversion.take(taken, model.raiseOnly ? .greater : .other, in: window, after: number, now: now)
        if verdict.isChanged { update = conversion.lastUpdate }
        return verdict
    }
}

extension [ConversionModel] {
    /// Rules, "Model versions": the model of a registered install. MODEL_UNKNOWN where it is not among these, or where
    /// the install has none.
    package func model(of conversion: borrowing Conversion) throws(Failure) -> ConversionModel {
        guard let progress = conversion.model else {
            throw Failure(.modelUnknown, "models: the install was registered without a conversion model")
        }
        for model in self where progress.isOf(model.version) {
            guard progress.countNumber <= model.events.count + 1 else {
                throw Failure(.corruptRecord, "record: more counts than its conversion model has")
            }
            return model
        }
        throw Failure(
            .modelUnknown, "models: the install was registered with \(version: progress.version), which is not here")
    }
}

extension Conversion {
    /// An install that was registered with a model takes no endpoint's values. MODEL_UNKNOWN.
    package func requireNoModel() throws(Failure) {
        guard let model else { return }
        throw Failure(
            .modelUnknown,
            "models: the install was registered with \(version: model.version), the engine has no models")
    }
}

extension Message.StringInterpolation {
    @inline(never)
    mutating func appendInterpolation(version: SHA256) {
        var text = ByteBuffer(capacity: 64)
        version.write(to: &text)
        appendInterpolation(Message(utf8: [UInt8](text.bytes)))
    }
}
