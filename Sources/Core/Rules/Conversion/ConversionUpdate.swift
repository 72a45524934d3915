/// Rules, "Update conversion values", "Events with an amount", "Event ids": either the step before a request, or the
/// step that takes a value from an endpoint's answer or from conversion models. With an event id, a retry counts
/// nothing.
package struct ConversionUpdate: Rule {
    private let eventID: UnsafeRawBufferPointer?
    /// The step that takes a value from an endpoint's answer; nil for other steps.
    private let application: ResponseApplication?
    /// The step that takes a value from conversion models; nil for other steps. If `application` is nil, too, this is
    /// the step before a request, which checks whether one may be made. The steps are not cases of an enum, because its
    /// tag would be in a word whose other bits are never initialized, which valgrind reports.
    private let decision: ModelDecision?
    /// The time of the step before a request, in Unix seconds.
    private let now: Int64
    /// The step that adds the event's amount, before anything else; nil if there is no amount.
    private let revenue: RevenueUpdate?
    package private(set) var update: ValueUpdate?

    package init(eventID: UnsafeRawBufferPointer?, revenue: RevenueUpdate? = nil, beginningAt now: Int64) {
        self.eventID = eventID
        self.revenue = revenue
        (application, decision) = (nil, nil)
        self.now = now
    }

    package init(eventID: UnsafeRawBufferPointer?, application: ResponseApplication) {
        self.eventID = eventID
        revenue = nil
        (self.application, decision, now) = (application, nil, 0)
    }

    package init(eventID: UnsafeRawBufferPointer?, decision: ModelDecision, revenue: RevenueUpdate? = nil) {
        self.eventID = eventID
        self.revenue = revenue
        (application, self.decision, now) = (nil, decision, 0)
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        update = nil
        let known = state.events.find(eventID)
        if known.hasEvent { return .unchanged(.duplicateEvent) }
        let isAdded = try addAmount(to: &state, known)
        var verdict: Verdict
        if var application {
            verdict = try application.run(on: &state)
            update = application.update
        } else if var decision {
            verdict = try decision.run(on: &state)
            update = decision.update
        } else {
            let (window, otherwise) = state.conversion.openWindow(at: now)
            guard window == nil else {
                try state.conversion.requireNoModel()
                if isAdded { return .changed() }
                // The state is used after the rule, to build the request. The event ids point into a record that will
                // be freed.
                state.dropEvents()
                return .unchanged(.ok)
            }
            verdict = .unchanged(otherwise)
        }
        if isAdded { verdict = .changed(verdict.status) }
        // The id is remembered after every outcome except NOT_REGISTERED.
        guard let eventID, verdict.status != .notRegistered else { return verdict }
        state.events.rememberEvent(eventID, known, isAdded ? revenue?.kind : nil)
        return .changed(verdict.status)
    }

    /// Adds the amount, unless an amount was added under its event id before. Returns whether the state changed.
    private func addAmount(to state: inout InstallState, _ known: KnownEvent) throws(Failure) -> Bool {
        guard state.conversion.isRegistered, !known.hasAmount, var revenue else { return false }
        revenue.known = known
        return try revenue.run(on: &state).isChanged
    }
}
