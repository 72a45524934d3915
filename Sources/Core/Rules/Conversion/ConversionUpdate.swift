/// Rules, "Update conversion values", "Event ids": request and apply in one call, with an event id that makes a retry
/// count once.

/// The step before the request: may one be made?
package struct ConversionBeginning: Rule {
    private let eventID: UnsafeRawBufferPointer?
    private let now: Int64
    package init(eventID: UnsafeRawBufferPointer?, now: Int64) {
        self.eventID = eventID
        self.now = now
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        if state.hasConversionEvent(eventID) { return .unchanged(.duplicateEvent) }
        guard state.isRegistered else { return .unchanged(.notRegistered) }
        guard state.window(at: now) != nil else {
            return state.rememberConversionEvent(eventID, .unchanged(.windowClosed))
        }
        try state.requireNoModel()
        // The transaction holds the state to build the request from.
        state.dropEvents()
        return .unchanged(.ok)
    }
}

/// The step after the answer came; the only one where conversion models decide.
package struct ConversionEnding: Rule {
    private enum Source {
        case endpoint(ResponseApplication)
        case models(ModelDecision)
    }

    private let eventID: UnsafeRawBufferPointer?
    private let source: Source
    package private(set) var update: ValueUpdate?

    package init(eventID: UnsafeRawBufferPointer?, application: ResponseApplication) {
        self.eventID = eventID
        source = .endpoint(application)
    }

    package init(eventID: UnsafeRawBufferPointer?, decision: ModelDecision) {
        self.eventID = eventID
        source = .models(decision)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        if state.hasConversionEvent(eventID) { return .unchanged(.duplicateEvent) }
        let verdict: Verdict
        switch source {
        case .endpoint(var application):
            verdict = try application.run(on: &state)
            update = application.update
        case .models(var decision):
            verdict = try decision.run(on: &state)
            update = decision.update
        }
        return state.rememberConversionEvent(eventID, verdict)
    }
}

extension InstallState {
    fileprivate func hasConversionEvent(_ id: UnsafeRawBufferPointer?) -> Bool {
        guard let id else { return false }
        return conversionEvents.contains(id)
    }

    /// An id is remembered with OK and every outcome but NOT_REGISTERED.
    fileprivate mutating func rememberConversionEvent(_ id: UnsafeRawBufferPointer?, _ verdict: Verdict) -> Verdict {
        guard let id, verdict.status != .notRegistered else { return verdict }
        conversionEvents.remember(id)
        return .changed(verdict.status)
    }
}
