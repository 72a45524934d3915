/// Rules, "Update conversions": decides the next values of the install and its re-engagements in one step.
package final class ConversionsUpdate: ReengagementWork {
    private let event: EventName?
    private let eventID: UnsafeRawBufferPointer?
    private let eventName: UnsafeRawBufferPointer
    private let amount: EventAmount?
    private let named: UInt32
    package var moment = ReengagementMoment()
    /// The models that decide for the install; empty if an endpoint does.
    package var models: [ConversionModel] = []
    package var hasTransport = false
    package var answer: (ticket: UInt64, response: Response)?
    /// Whether the host passed in the answer. It can do so twice, so a stale answer then changes nothing at all.
    package var isHosts = false
    /// The new value of the install's own conversion; nil if there is none.
    package private(set) var installUpdate: ValueUpdate?
    package private(set) var installStatus = Status.ok
    /// Whether the endpoint must be asked before anything is decided. Until then at most the event's amount was added.
    package private(set) var asksEndpoint = false

    /// The event and the event id were checked, and must stay valid while this object is used. `named`: the number of
    /// the re-engagement that the event names; 0 if it names none.
    package init(
        event: UnsafeRawBufferPointer, eventID: UnsafeRawBufferPointer?, amount: EventAmount? = nil, named: UInt32
    ) {
        self.event = EventName(event)
        self.eventID = eventID
        eventName = event
        self.amount = amount
        self.named = named
    }

    @_optimize(size)
    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        asksEndpoint = false
        installUpdate = nil
        let known = state.events.find(eventID)
        if known.hasEvent { return .unchanged(.duplicateEvent) }
        let (window, otherwise) = state.conversion.openWindow(at: now)
        let isAdded = try addAmount(to: &state, known)
        var (status, isChanged) = (otherwise, isAdded)
        installStatus = otherwise
        if window != nil || state.reengagements.newest(at: now) != nil {
            try checkNamed(state.reengagements)
            status = .noNewValue
            if window != nil {
                let verdict = try decideInstall(&state)
                if asksEndpoint {
                    if isAdded { return .changed() }
                    // The caller builds the request from this state when the record may be gone, so the state must not
                    // borrow event ids from it.
                    state.dropEvents()
                    return verdict
                }
                status = verdict.status
                if isHosts, status == .staleResponse { return verdict }
                installStatus = status
                isChanged = isChanged || verdict.isChanged
            }
            var isNew = status == .ok
            for kept in state.reengagements where state.reengagements.isCredited(kept, named, settings, at: now) {
                guard let model = settings.model(of: kept) else { continue }
                if state.count(event, kept, model, at: now, numbersFrom: numbersFrom) { isNew = true }
                isChanged = true
            }
            status = isNew ? .ok : .noNewValue
        }
        // The id is remembered after every outcome except NOT_REGISTERED.
        if let eventID, status != .notRegistered {
            state.events.rememberEvent(eventID, known, isAdded ? amount?.kind : nil)
            isChanged = true
        }
        return isChanged ? .changed(status) : .unchanged(status)
    }

    /// Adds the event's amount, unless revenue was already counted under the event id, or an endpoint's answer is
    /// applied: then the amount was added before the request. Returns whether the state changed.
    @_optimize(size)
    private func addAmount(to state: inout InstallState, _ known: KnownEvent) throws(Failure) -> Bool {
        guard let amount, answer == nil, !known.hasAmount,
            state.conversion.isRegistered || state.reengagements.newest(at: now) != nil
        else { return false }
        var update = RevenueUpdate(
            amount: amount.amount, currency: amount.currency, kind: amount.kind, eventID: eventID, now: now,
            reengagement: named, settings)
        update.known = known
        return try update.run(on: &state).isChanged
    }

    /// Sets `asksEndpoint` if the endpoint must be asked first.
    @_optimize(size)
    private func decideInstall(_ state: inout InstallState) throws(Failure) -> Verdict {
        if !models.isEmpty {
            var decision = ModelDecision(
                models: models, event: eventName, amount: amount, now: now, numbersFrom: numbersFrom)
            let verdict = try decision.run(on: &state)
            installUpdate = decision.update
            return verdict
        }
        if let answer {
            var application = ResponseApplication(
                response: answer.response, ticket: answer.ticket, now: now, numbersFrom: numbersFrom)
            let verdict = try application.run(on: &state)
            installUpdate = application.update
            return verdict
        }
        guard hasTransport else { return .unchanged(.noNewValue) }
        try state.conversion.requireNoModel()
        asksEndpoint = true
        return .unchanged(.ok)
    }

    /// Throws MODEL_UNKNOWN if the call names an active re-engagement and the engine does not have its model version.
    @_optimize(size)
    private func checkNamed(_ reengagements: [Reengagement]) throws(Failure) {
        for kept in reengagements where kept.number == named && kept.isActive(at: now) {
            if settings.model(of: kept) == nil { throw unknownReengagementModel(named) }
        }
    }
}

@inline(never)
func unknownReengagementModel(_ number: UInt32) -> Failure {
    Failure(
        .modelUnknown, "reengagement_models: re-engagement \(number) began with a model that this engine does not have")
}
