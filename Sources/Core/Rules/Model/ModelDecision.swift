/// Rules, "Model decision", "Model counts", "Model measures": what an install's conversion model does when values are
/// updated: it counts a session or an event, and takes the value of the rule that holds.
package struct ModelDecision: Sendable {
    private let models: [ConversionModel]
    private let event: EventName?
    /// The money of the event.
    private let amount: EventAmount?
    private let clock: Int64
    /// What the clock counts as for the install: its window never goes back.
    private var now: Int64
    package private(set) var update: ValueUpdate?

    package init(
        models: [ConversionModel], event: UnsafeRawBufferPointer, amount: EventAmount? = nil, now: Int64
    ) {
        self.amount = amount
        self.models = models
        self.event = EventName(event)
        clock = now
        self.now = now
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        now = state.conversion.time(clock)
        guard state.isRegistered else { return .unchanged(.notRegistered) }
        guard let window = state.window(at: now) else { return .unchanged(.windowClosed) }
        let model = try models.model(of: state.conversion)
        var progress = state.model ?? InstallModel(model)
        var isCounted = false
        if let event {
            isCounted = count(event, &progress, state.conversion, model, window)
            if isCounted { state.model = progress }
        }
        let verdict = decide(&state.conversion, state.revenue, model, progress, window, after: state.lastUpdateNumber)
        // An endpoint's record of a user has no last update: the window of its counts says how far the user is.
        if update != nil, progress.enter(window, lifetime: model.measures.lifetime) { state.model = progress }
        return isCounted ? .changed(verdict.status) : verdict
    }

    /// Counts an event that the model names; answers whether that changed anything.
    private func count(
        _ event: EventName, _ progress: inout InstallModel, _ conversion: borrowing Conversion,
        _ model: ConversionModel,
        _ window: Window
    ) -> Bool {
        let place = model.place(of: event)
        let naming = model.measures.naming(event)
        guard place != nil || naming != 0 else { return false }
        var isChanged = progress.enter(window, lifetime: model.measures.lifetime)
        if let place { isChanged = progress.add(place) || isChanged }
        if naming != 0 { isChanged = measure(naming, &progress, conversion, model) || isChanged }
        return isChanged
    }

    private func measure(
        _ naming: UInt32, _ progress: inout InstallModel, _ conversion: borrowing Conversion, _ model: ConversionModel
    ) -> Bool {
        let event = MeasuredEvent(
            hours: Int128(model.hours(of: conversion, now: now)), kind: amount?.kind,
            units: amount.flatMap { model.converted($0.amount, $0.currency) })
        var isChanged = false
        var rest = naming
        while rest != 0 {
            let number = rest.trailingZeroBitCount
            rest &= rest &- 1
            let measure = model.measures.list[number]
            guard measure.takes(event) else { continue }
            let before = progress.measure(number)
            let after = measure.adding(event, to: before)
            guard after != before else { continue }
            progress.set(measure: number, after)
            isChanged = true
        }
        return isChanged
    }

    private mutating func decide(
        _ conversion: inout Conversion, _ tables: borrowing RevenueTables, _ model: ConversionModel,
        _ progress: InstallModel, _ window: Window, after number: UInt64
    ) -> Verdict {
        guard let part = model.window(window) else { return .unchanged(.noNewValue) }
        let winners = model.winners(conversion, tables, progress, window, now: now)
        let rule = winners.rule < 0 ? nil : part.list.rules[winners.rule]
        let verdict: Verdict
        if let list = part.coarseList {
            let coarse = winners.coarseRule < 0 ? nil : list.rules[winners.coarseRule]
            guard rule != nil || coarse != nil else { return .unchanged(.noNewValue) }
            guard conversion.windows[window].lock == nil else { return .unchanged(.windowLocked) }
            guard let taken = conversion.value(rule, coarse, raiseOnly: model.raiseOnly, in: window) else {
                return .unchanged(.noNewValue)
            }
            verdict = conversion.take(taken, .other, in: window, after: number, now: now)
        } else {
            guard let rule else { return .unchanged(.noNewValue) }
            let taken = TakenValue(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
            verdict = conversion.take(taken, model.raiseOnly ? .greater : .other, in: window, after: number, now: now)
        }
        if verdict.isChanged { update = conversion.lastUpdate }
        return verdict
    }
}

extension Conversion {
    /// Rules, "Coarse rules": the fine value of one rule and the coarse value of another as one update. With raise_only
    /// each of them by itself is never lowered. nil where neither rule holds.
    func value(_ fine: ModelRule?, _ coarse: ModelRule?, raiseOnly: Bool, in window: Window) -> TakenValue? {
        guard fine != nil || coarse != nil else { return nil }
        var value = (fine: self.fine, coarse: windows[window].coarse)
        var locks = false
        if let fine, !raiseOnly || level(fine.fine) >= level(value.fine) {
            value.fine = fine.fine
            locks = fine.locksWindow
        }
        if let coarse, !raiseOnly || level(coarse.coarse) >= level(value.coarse) {
            value.coarse = coarse.coarse
            locks = locks || coarse.locksWindow
        }
        // An import may have no fine value; a call to Apple has one.
        if value.fine == nil, locks || value.coarse != windows[window].coarse { value.fine = 0 }
        return TakenValue(fine: value.fine, coarse: value.coarse, locksWindow: locks)
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
            guard progress.hasMeasures == !model.measures.isEmpty, progress.hasSoundMeasures(of: model) else {
                throw Failure(.corruptRecord, "record: measures that its conversion model does not have")
            }
            return model
        }
        throw Failure(
            .modelUnknown, "models: the install was registered with \(version: progress.version), which is not here")
    }
}

extension InstallModel {
    /// What an install keeps of a model that has counted nothing.
    package init(_ model: ConversionModel) {
        self.init(model.version, hasMeasures: !model.measures.isEmpty)
    }

    @inline(__always)
    fileprivate func hasSoundMeasures(of model: ConversionModel) -> Bool {
        guard measureNumber <= model.measures.list.count else { return false }
        for number in 0..<measureNumber where !model.measures.list[number].canHave(measure(number)) { return false }
        return true
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
        appendInterpolation(Message(utf8: text.array))
    }
}
