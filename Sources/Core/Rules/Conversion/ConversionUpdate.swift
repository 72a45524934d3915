/// Rules, "Update conversion values", "Events with an amount", "Event ids": with an event id that makes a retry count
/// once, the step before a request, or the one that takes a value: an endpoint's answer, or what conversion models
/// decide.
package struct ConversionUpdate: Rule {
    private enum Step {
        /// Asks whether a request may be made.
        case beginning(now: Int64)
        case endpoint(ResponseApplication)
        case models(ModelDecision)
    }

    private let eventID: UnsafeRawBufferPointer?
    private let step: Step
    /// Adds the amount that came with the event, before anything else.
    private let revenue: RevenueUpdate?
    package private(set) var update: ValueUpdate?

    package init(eventID: UnsafeRawBufferPointer?, revenue: RevenueUpdate? = nil, beginningAt now: Int64) {
        self.eventID = eventID
        self.revenue = revenue
        step = .beginning(now: now)
    }

    package init(eventID: UnsafeRawBufferPointer?, application: ResponseApplication) {
        self.eventID = eventID
        revenue = nil
        step = .endpoint(application)
    }

    package init(eventID: UnsafeRawBufferPointer?, decision: ModelDecision, revenue: RevenueUpdate? = nil) {
        self.eventID = eventID
        self.revenue = revenue
        step = .models(decision)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        if let eventID, state.conversionEvents.contains(eventID) { return .unchanged(.duplicateEvent) }
        let isAdded = try add(to: &state)
        var verdict: Verdict
        switch step {
        case .beginning(let now):
            let (window, otherwise) = state.conversion.openWindow(at: now)
            guard window == nil else {
                try state.conversion.requireNoModel()
                if isAdded { return .changed() }
                // The state stays, to build the request from.
                state.dropEvents()
                return .unchanged(.ok)
            }
            verdict = .unchanged(otherwise)
        case .endpoint(var application):
            verdict = try application.run(on: &state)
            update = application.update
        case .models(var decision):
            verdict = try decision.run(on: &state)
            update = decision.update
        }
        if isAdded { verdict = .changed(verdict.status) }
        // An id is remembered with OK and every outcome but NOT_REGISTERED.
        guard let eventID, verdict.status != .notRegistered else { return verdict }
        state.conversionEvents.remember(eventID)
        return .changed(verdict.status)
    }

    /// An id that came with revenue before adds nothing again. Answers whether that changed anything.
    private func add(to state: inout InstallState) throws(Failure) -> Bool {
        guard var revenue, state.isRegistered else { return false }
        return try revenue.run(on: &state).isChanged
    }
}
