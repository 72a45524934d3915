/// Rules, "Endpoint decisions": what conversion models make of what a request tells and of what is kept of the earlier
/// ones, the model and the counts.
package struct EndpointDecision: Rule {
    private let request: EndpointRequest
    private let models: [ConversionModel]
    private var decision: ModelDecision
    package var update: ValueUpdate? { decision.update }

    package init(_ request: EndpointRequest, models: [ConversionModel], now: Int64) {
        self.request = request
        self.models = models
        decision = ModelDecision(models: models, event: request.event, now: now)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        // Who installs the app again starts anew: with the first model, without counts.
        let isKnown = state.first == request.state.first
        let model = (isKnown ? state.model : nil) ?? models.first.map { InstallModel($0.version) }
        state.take(request.state)
        state.model = model
        return try decision.run(on: &state)
    }
}

/// Rules, "Test endpoint": 0, 1, 2 for the first three events of a user, then no value.
package struct TestEndpointDecision: Rule {
    private let request: EndpointRequest
    package private(set) var fine: UInt8?

    package init(_ request: EndpointRequest) { self.request = request }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        let answered = state.fine
        let next = answered.map { $0 &+ 1 } ?? 0
        fine = next <= 2 ? next : nil
        guard fine != nil else { return .unchanged(.noNewValue) }
        state.take(request.state)
        state.fine = fine
        return .changed()
    }
}

extension InstallState {
    /// Takes the details of another state: what a request tells.
    fileprivate mutating func take(_ told: InstallState) {
        first = told.first
        last = told.last
        fine = told.fine
        previousFine = told.previousFine
        windows = told.windows
        revenue = told.revenue
    }
}
