/// Rules, "Endpoint decisions": decides by conversion models, from a request and from what is stored of earlier ones:
/// the model and the counts. Rules, "Test endpoint": without models, the values are 0, 1, 2 for a user's first three
/// events, then none.
package struct EndpointDecision: Rule {
    private let request: EndpointRequest
    private let now: Int64
    private let newModel: InstallModel?
    private var decision: ModelDecision
    /// The value of the test endpoint.
    private var testValue: UInt8?
    package var update: ValueUpdate? { decision.update }

    package init(_ request: EndpointRequest, models: [ConversionModel], now: Int64) {
        self.request = request
        self.now = now
        newModel = models.first.map { InstallModel($0) }
        decision = ModelDecision(models: models, event: request.event, amount: request.amount, now: now)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        guard newModel != nil else { return runTest(on: &state) }
        // A user who installs the app again starts with the first model, and without counts.
        let isKnown = state.first == request.state.first
        let model = (isKnown ? state.model : nil) ?? newModel
        // A user for whom nothing else changed is saved at most once a day.
        let isSeenAnew = state.last.map { now &- $0 >= Day.seconds } ?? true
        state.take(request.state)
        state.model = model
        let verdict = try decision.run(on: &state)
        state.keepCounts(seen: now)
        return isKnown && isSeenAnew ? .changed(verdict.status) : verdict
    }

    private mutating func runTest(on state: inout InstallState) -> Verdict {
        let next = state.fine.map { $0 &+ 1 } ?? 0
        testValue = next <= 2 ? next : nil
        guard testValue != nil else { return .unchanged(.noNewValue) }
        state.first = request.state.first
        state.fine = testValue
        state.keepCounts(seen: now)
        return .changed()
    }

    /// Writes the answer to the request, given the status of the rule.
    package func write(_ status: Status, to answer: inout JSONWriter) {
        let update = status == .ok ? update : nil
        switch request.protocolVersion {
        case .skan3: answer.answer(skan3: newModel == nil ? testValue : update?.fine)
        case .skan4: answer.answer(fine: request.state.fine, update)
        }
    }
}

extension InstallState {
    /// Copies the details that the request contains from another state.
    fileprivate mutating func take(_ told: InstallState) {
        conversion = told.conversion
        revenue = told.revenue
    }

    /// Rules, "Endpoint users": removes what every request contains, except the first call, which identifies a new
    /// install. The last call is when the user was seen.
    fileprivate mutating func keepCounts(seen now: Int64) {
        var kept = InstallState(protocolVersion)
        kept.isStored = isStored
        kept.writes = writes
        kept.model = model
        (kept.first, kept.last) = (first, now)
        kept.fine = model == nil ? fine : nil
        self = kept
    }
}
