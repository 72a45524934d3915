/// Rules, "Update conversion values", "Event ids": with an event id that makes a retry count once, the step before a
/// request, or the one that takes a value: an endpoint's answer, or what conversion models decide.
package struct ConversionUpdate: Rule {
    private enum Step {
        /// May a request be made?
        case beginning(now: Int64)
        case endpoint(ResponseApplication)
        case models(ModelDecision)
    }

    private let eventID: UnsafeRawBufferPointer?
    private let step: Step
    package private(set) var update: ValueUpdate?

    package init(eventID: UnsafeRawBufferPointer?, beginningAt now: Int64) {
        self.eventID = eventID
        step = .beginning(now: now)
    }

    package init(eventID: UnsafeRawBufferPointer?, application: ResponseApplication) {
        self.eventID = eventID
        step = .endpoint(application)
    }

    package init(eventID: UnsafeRawBufferPointer?, decision: ModelDecision) {
        self.eventID = eventID
        step = .models(decision)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        if let eventID, state.conversionEvents.contains(eventID) { return .unchanged(.duplicateEvent) }
        let verdict: Verdict
        switch step {
        case .beginning(let now):
            let (window, otherwise) = state.conversion.openWindow(at: now)
            guard window == nil else {
                try state.conversion.requireNoModel()
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
        // An id is remembered with OK and every outcome but NOT_REGISTERED.
        guard let eventID, verdict.status != .notRegistered else { return verdict }
        state.conversionEvents.remember(eventID)
        return .changed(verdict.status)
    }
}
