/// Rules, "Update conversions": decides the next values of the install and its re-engagements in one step.
package final class ConversionsUpdate: ReengagementWork {
    private let event: EventName?
    private let eventID: UnsafeRawBufferPointer?
    private let eventName: UnsafeRawBufferPointer
    /// The money of the event.
    private let amount: EventAmount?
    private let named: UInt32
    package var moment = ReengagementMoment()
    /// The models that decide for the install; empty if an endpoint does.
    package var models: [ConversionModel] = []
    package var hasTransport = false
    /// The endpoint's answer, and the ticket of its request.
    package var answer: (ticket: UInt64, response: Response)?
    /// Whether the answer is one that the host passed in, perhaps again: a stale one then changes nothing.
    package var isHosts = false
    /// The install's part: its new value, and its outcome.
    package private(set) var installUpdate: ValueUpdate?
    package private(set) var installStatus = Status.ok
    /// Whether the endpoint must be asked first; nothing has been done yet then.
    package private(set) var asksEndpoint = false

    /// Takes a checked event and event id; both must stay valid while this object is used.
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
                    // Keeps the state, because the request is built from it.
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
        // The id is remembered after OK and every outcome except NOT_REGISTERED.
        if let eventID, status != .notRegistered {
            state.events.rememberEvent(eventID, known, isAdded ? amount?.kind : nil)
            isChanged = true
        }
        return isChanged ? .changed(status) : .unchanged(status)
    }

    /// Adds the amount before a request is made, unless its event id came with revenue before. Returns whether the
    /// state changed.
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

    /// Updates the install's own conversion.
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

    /// Throws MODEL_UNKNOWN if an active re-engagement is named whose model version the engine does not have.
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
