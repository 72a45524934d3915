/// Rules, "Model decision": updates an install's value by its conversion model: counts a session or an event, and gives
/// the install the value of the last rule whose conditions it meets.
package struct ModelDecision: Sendable {
    private let models: [ConversionModel]
    private let event: EventName?
    private let amount: EventAmount?
    private let clock: Int64
    private let start: UInt64
    package private(set) var update: ValueUpdate?

    /// An install's first update gets the number after `numbersFrom`.
    package init(
        models: [ConversionModel], event: UnsafeRawBufferPointer, amount: EventAmount? = nil, now: Int64,
        numbersFrom start: UInt64 = 0
    ) {
        self.amount = amount
        self.models = models
        self.event = EventName(event)
        clock = now
        self.start = start
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        // The install's window never goes back.
        let now = state.conversion.time(clock)
        guard state.conversion.isRegistered else { return .unchanged(.notRegistered) }
        guard let window = state.conversion.window(at: now) else { return .unchanged(.windowClosed) }
        let model = try models.model(of: state.conversion)
        var isCounted = false
        if let event { isCounted = state.conversion.count(event, amount, model, in: window, at: now) }
        let winners = model.winners(state.conversion, state.revenue, in: window, at: now)
        let number = state.numberBefore(start)
        let verdict = state.conversion.decide(model, winners, in: window, after: number, at: now)
        if verdict.isChanged {
            update = state.conversion.lastUpdate
            // At an endpoint, a decision does not see the user's last update, so only the window of the counts says
            // which window the user has reached.
            _ = state.conversion.model?.enter(window, lifetime: model.measures.lifetime)
        }
        return isCounted ? .changed(verdict.status) : verdict
    }
}

extension Conversion {
    /// Rules, "Model counts", "Model measures": counts an event that the model names; returns whether anything changed.
    fileprivate mutating func count(
        _ event: EventName, _ amount: EventAmount?, _ model: ConversionModel, in window: Window, at now: Int64
    ) -> Bool {
        let place = model.place(of: event)
        let naming = model.measures.naming(event)
        guard place != nil || naming != 0 else { return false }
        var isChanged = self.model?.enter(window, lifetime: model.measures.lifetime) ?? false
        if let place { isChanged = self.model?.add(place) ?? false || isChanged }
        if naming != 0 { isChanged = measure(naming, amount, model, at: now) || isChanged }
        return isChanged
    }

    /// Counts an event in the measures that name it; returns whether anything changed. `naming`: one bit for each of
    /// these measures.
    private mutating func measure(
        _ naming: UInt32, _ amount: EventAmount?, _ model: ConversionModel, at now: Int64
    ) -> Bool {
        let event = MeasuredEvent(
            hours: Int128(model.hours(of: self, now: now)), kind: amount?.kind,
            units: amount.flatMap { model.converted($0.amount, $0.currency) })
        var isChanged = false
        var rest = naming
        while rest != 0 {
            let number = rest.trailingZeroBitCount
            rest &= rest &- 1
            let measure = model.measures.list[number]
            guard measure.takes(event), let before = self.model?.measure(number) else { continue }
            let after = measure.adding(event, to: before)
            guard after != before else { continue }
            self.model?.set(measure: number, after)
            isChanged = true
        }
        return isChanged
    }

    /// Gives the conversion the value of the winning rules, if the value is new. `isFirst`: whether this is the first
    /// value of a re-engagement's window; such a value need not be new, and never locks the window.
    mutating func decide(
        _ model: ConversionModel, _ winners: WinningRules, isFirst: Bool = false, in window: Window,
        after number: UInt64, at now: Int64
    ) -> Verdict {
        guard let part = model.window(window) else { return .unchanged(.noNewValue) }
        let rule = winners.rule < 0 ? nil : part.list.rules[winners.rule]
        var value: TakenValue
        var standing = TakenValue.Standing.other
        if let list = part.coarseList {
            let coarse = winners.coarseRule < 0 ? nil : list.rules[winners.coarseRule]
            guard rule != nil || coarse != nil else { return .unchanged(.noNewValue) }
            guard windows[window].lock == nil else { return .unchanged(.windowLocked) }
            let raiseOnly = model.raiseOnly && !isFirst
            guard let both = self.value(rule, coarse, raiseOnly: raiseOnly, in: window) else {
                return .unchanged(.noNewValue)
            }
            value = both
        } else {
            guard let rule else { return .unchanged(.noNewValue) }
            value = TakenValue(fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
            if model.raiseOnly { standing = .greater }
        }
        if isFirst {
            value = TakenValue(fine: value.fine, coarse: value.coarse, locksWindow: false)
            standing = .any
        }
        return take(value, standing, in: window, after: number, now: now)
    }

    /// Rules, "Coarse rules": combines the fine value of one rule and the coarse value of another in one update; a rule
    /// is nil if none of its list wins. With raise_only, neither value is ever lowered. Returns nil if both rules are
    /// nil.
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
        // An install that was imported may have no fine value, but a call to Apple needs one.
        if value.fine == nil, locks || value.coarse != windows[window].coarse { value.fine = 0 }
        return TakenValue(fine: value.fine, coarse: value.coarse, locksWindow: locks)
    }
}

extension [ConversionModel] {
    /// Rules, "Model versions": the model of a registered install. Throws MODEL_UNKNOWN if it is not in this array, or
    /// if the install has none.
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
    /// Throws MODEL_UNKNOWN for an install that was registered with a model, because it takes no values from an
    /// endpoint.
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
