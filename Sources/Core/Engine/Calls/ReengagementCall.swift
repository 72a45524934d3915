import SKANCore

/// A call about re-engagements. It runs a work object as its rule; afterwards the work object holds the result.
package struct ReengagementCall: InstallCall {
    private let work: any ReengagementWork
    private let readsClock: Bool
    private let isForSKAN3: Bool
    /// The "Update conversions" work, which can ask the endpoint; nil for all other calls.
    private var update: ConversionsUpdate?
    private var question: Question?
    private var ticket: UInt64 = 0
    private var body: UnsafeRawBufferPointer?

    package init(_ work: any ReengagementWork, readsClock: Bool = true, isForSKAN3: Bool = false) {
        self.work = work
        self.readsClock = readsClock
        self.isForSKAN3 = isForSKAN3
    }

    /// Rules, "Update conversions": creates the call that updates the values of the install, as `UpdateCall` does, and
    /// of its re-engagements.
    package init(_ event: ReportedEvent) {
        let update = ConversionsUpdate(event)
        self.init(update)
        self.update = update
        question = Question(event: event)
    }

    /// Creates the second of two steps, which applies the answer to a request that the host sent. The caller has
    /// checked the ticket.
    package init(
        event: UnsafeRawBufferPointer, eventID: UnsafeRawBufferPointer?, reengagement: UInt32, ticket: UInt64,
        body: UnsafeRawBufferPointer
    ) {
        let update = ConversionsUpdate(event: event, eventID: eventID, named: reengagement)
        self.init(update)
        self.update = update
        self.ticket = ticket
        self.body = body
    }

    /// The install's new value, once the call has run; nil if it got none.
    package var installUpdate: ValueUpdate? { update?.installUpdate }

    /// Rules, "Conversions": throws MISUSE in SKAN 3, unless the call is for SKAN 3 too. Also throws MISUSE if the
    /// engine lacks what the call needs.
    @_optimize(size)
    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        guard engine.protocolVersion == .skan4 || isForSKAN3 else { throw noReengagements() }
        guard let update else { return }
        if let body {
            try engine.checkAsksEndpoint()
            update.answer = (ticket, try Response(body, engine.protocolVersion))
            update.isHosts = true
        }
        update.models = engine.models
        update.hasTransport = engine.hasTransport
        guard !engine.models.isEmpty || engine.hasTransport || !engine.reengagements.models.isEmpty else {
            throw Failure(.misuse, "transport: the engine was made with neither transport nor models")
        }
    }

    package func asksClock(_ engine: borrowing EngineSettings) -> Bool { readsClock }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ReengagementRule {
        question?.now = now
        work.moment = engine.reengagementMoment(now)
        return ReengagementRule(work)
    }

    @_optimize(size)
    package mutating func request(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ReengagementRule, _ state: borrowing InstallState
    ) throws(Failure) -> ByteBuffer? {
        guard let update, update.asksEndpoint, let question else { return nil }
        ticket = try question.ticket(engine, state)
        return question.url(engine, state)
    }

    @_optimize(size)
    package mutating func received(
        _ body: UnsafeRawBufferPointer, _ engine: borrowing EngineSettings
    ) throws(Failure) {
        update?.answer = (ticket, try Response(body, engine.protocolVersion))
    }
}

extension EngineSettings {
    fileprivate func reengagementMoment(_ now: Int64) -> ReengagementMoment {
        ReengagementMoment(reengagements, now: seconds(now), numbersFrom: numbers.start(at: now))
    }
}

/// The first of the two steps that update the values of an install and of its re-engagements: creates the install's
/// request, which the host sends. If the install needs no request, this step decides the re-engagements' values at
/// once.
package struct ReengagementRequestCall: InstallCall {
    private let update: ConversionsUpdate
    private var question: Question

    package init(_ event: ReportedEvent) {
        update = ConversionsUpdate(event)
        question = Question(event: event)
    }

    @_optimize(size)
    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        guard engine.protocolVersion == .skan4 else { throw noReengagements() }
        try engine.checkAsksEndpoint()
        update.hasTransport = true
    }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ReengagementRule {
        question.now = now
        update.moment = engine.reengagementMoment(now)
        return ReengagementRule(update)
    }

    @_optimize(size)
    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ReengagementRule, _ state: borrowing InstallState
    ) throws(Failure) -> RequestAnswer {
        if update.asksEndpoint { return try question.answer(engine, .ok, state) }
        return (status == .duplicateEvent ? status : update.installStatus, nil, 0)
    }
}

extension ConversionsUpdate {
    fileprivate convenience init(_ event: ReportedEvent) {
        self.init(event: event.name, eventID: event.id, amount: event.amount, named: event.reengagement)
    }
}

@inline(never)
private func noReengagements() -> Failure {
    Failure(.misuse, "engine: its protocol is SKAN 3, which has no re-engagements")
}
