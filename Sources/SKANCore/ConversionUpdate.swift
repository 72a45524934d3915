/// SPEC §2, "update conversion values": request and apply in one call, with an event id that makes a retry count once.

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
        // The transaction holds the state to build the request from.
        state.dropEvents()
        return .unchanged(.ok)
    }
}

/// The step after the answer came.
package struct ConversionEnding: Rule {
    private let eventID: UnsafeRawBufferPointer?
    private var application: ResponseApplication

    package init(eventID: UnsafeRawBufferPointer?, application: ResponseApplication) {
        self.eventID = eventID
        self.application = application
    }

    package var update: Update? { application.update }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        if state.hasConversionEvent(eventID) { return .unchanged(.duplicateEvent) }
        let verdict = try application.run(on: &state)
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
