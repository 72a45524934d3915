/// Rules, "Endpoint decisions": decides by conversion models, from a request and from what earlier requests left in the
/// user's record: the model, the counts, the ids of events and the last value. Rules, "Test endpoint": without models,
/// the values are 0, 1, 2 for a user's first three events, then none.
package struct EndpointDecision: Rule {
    private let request: EndpointRequest
    private let now: Int64
    /// The model of new users; nil if they get none.
    private let newModel: InstallModel?
    private let models: [ConversionModel]
    private var decision: ModelDecision
    /// The value with which the test endpoint answers; nil if it answers without a value.
    private var testValue: UInt8?
    private let isTest: Bool
    private var hasTested = false
    private var update: ValueUpdate?

    /// The first of `models` is for new users.
    package init(
        _ request: EndpointRequest, models: [ConversionModel], older: OlderModels? = nil, now: Int64
    ) {
        self.request = request
        self.now = now
        self.models = models + (older?.list ?? [])
        isTest = isTestEndpoint(request.protocolVersion, models, older)
        newModel = models.first.map { InstallModel($0) }
        decision = ModelDecision(models: self.models, event: request.event, amount: request.amount, now: now)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        // A user who installs the app again starts with the first model, and without counts, event ids and a last
        // value.
        let isKnown = state.conversion.first == request.state.conversion.first
        guard let model = (isKnown ? state.conversion.model : nil) ?? newModel else {
            return isTest ? runTest(on: &state) : .unchanged(.rejected)
        }
        if isKnown, isRepeat(of: state) {
            var told = request.state.conversion
            let verdict = told.takeAgain(state.conversion, at: now)
            update = verdict.isChanged ? told.lastUpdate : nil
            return .unchanged(verdict.status)
        }
        if !isKnown { state.events = EventMemory() }
        let before = isKnown ? state.conversion.lastUpdate : nil
        // A user for whom nothing else changed is saved at most once a day.
        let isSeenAnew = state.conversion.last.map { now &- $0 >= Day.seconds } ?? true
        state.take(request.state)
        state.conversion.model = model
        let verdict = try decision.run(on: &state)
        update = decision.update
        let last = try decision.lastValue(after: before, told: request.state.conversion, state, models, at: now)
        if verdict.isChanged { rememberEvent(in: &state) }
        state.keepCounts(seen: now, last)
        return (isKnown && isSeenAnew) || last != before ? .changed(verdict.status) : verdict
    }

    private func isRepeat(of state: borrowing InstallState) -> Bool {
        state.events.find(request.eventID).hasEvent
    }

    private func rememberEvent(in state: inout InstallState) {
        guard let eventID = request.eventID else { return }
        let known = state.events.find(eventID)
        let kind = request.amount?.kind
        if let kind, !known.hasAmount { state.events.rememberAmount(eventID, known, kind) }
        state.events.rememberEvent(eventID, known, kind)
    }

    private mutating func runTest(on state: inout InstallState) -> Verdict {
        hasTested = true
        if isRepeat(of: state) {
            testValue = state.conversion.fine
            return .unchanged(.ok)
        }
        let next = state.conversion.fine.map { $0 &+ 1 } ?? 0
        testValue = next <= 2 ? next : nil
        guard testValue != nil else { return .unchanged(.noNewValue) }
        state.conversion.first = request.state.conversion.first
        state.conversion.fine = testValue
        rememberEvent(in: &state)
        state.keepCounts(seen: now, nil)
        return .changed()
    }

    /// The reason for the rejection, if the rule's status is REJECTED.
    package var rejection: EndpointRejection { .noModel(app: [UInt8](request.app)) }

    /// `status`: the status with which `run` ended.
    package func write(_ status: Status, to answer: inout JSONWriter) {
        let update = status == .ok ? update : nil
        switch request.protocolVersion {
        case .skan3: answer.answer(skan3: hasTested ? testValue : update?.fine)
        case .skan4: answer.answer(fine: request.state.conversion.fine, update)
        }
    }
}

extension InstallState {
    /// `told`: the state that the request describes. Its details replace the stored ones.
    fileprivate mutating func take(_ told: InstallState) {
        conversion = told.conversion
        revenue = told.revenue
    }

    /// Rules, "Endpoint users": removes the details that every request contains, except the first call, which
    /// identifies a new install. The last call becomes the time at which the user was last seen. The last value is
    /// marked as delivered, because no app asks for pending values here.
    fileprivate mutating func keepCounts(seen now: Int64, _ last: ValueUpdate?) {
        var kept = Conversion(conversion.protocolVersion)
        kept.model = conversion.model
        (kept.first, kept.last) = (conversion.first, now)
        kept.fine = kept.model == nil ? conversion.fine : nil
        (kept.lastUpdate, kept.isLastUpdateDelivered) = (last, last != nil)
        var state = InstallState(kept.protocolVersion)
        state.isStored = isStored
        state.writes = writes
        state.conversion = kept
        state.events = events
        self = state
    }
}
