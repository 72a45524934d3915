import SKANCore

/// Rules, "Request", "SKAN 3 requests", "Tickets": creates the request for the next value, which the host sends. The
/// event's amount is added first.
package struct RequestCall: InstallCall {
    private var question: Question

    package init(_ event: ReportedEvent) { question = Question(event: event) }

    package func check(_ engine: borrowing EngineSettings) throws(Failure) { try engine.checkAsksEndpoint() }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ConversionUpdate {
        question.begin(at: now)
    }

    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ConversionUpdate, _ state: borrowing InstallState
    ) throws(Failure) -> RequestAnswer { try question.answer(engine, status, state) }
}

/// The status of a call that creates a request for the host, and the request's URL and ticket, if the status is OK.
package typealias RequestAnswer = (status: Status, url: OwnedText?, ticket: UInt64)

/// The content of a request to an endpoint.
struct Question {
    let event: ReportedEvent
    var now: Int64 = 0

    func ticket(_ engine: borrowing EngineSettings, _ state: borrowing InstallState) throws(Failure) -> UInt64 {
        try engine.tickets.next(after: state.conversion.newestTicket, now: now)
    }

    func url(_ engine: borrowing EngineSettings, _ state: borrowing InstallState) -> ByteBuffer {
        engine.target.url(
            event: event.name, eventID: event.id, amount: event.amount, device: event.device, state: state)
    }

    /// The rule that adds the event's amount for the install alone; nil if the event has no amount.
    func revenue(_ now: Int64) -> RevenueUpdate? {
        event.amount.map { RevenueUpdate($0, eventID: event.id, now: seconds(now)) }
    }

    /// The rule that runs before the request and adds the event's amount.
    mutating func begin(at now: Int64) -> ConversionUpdate {
        self.now = now
        return ConversionUpdate(eventID: event.id, revenue: revenue(now), beginningAt: seconds(now))
    }

    /// The answer of the call: `status` and, if that is OK, the request that the host sends.
    func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ state: borrowing InstallState
    ) throws(Failure) -> RequestAnswer {
        guard status == .ok else { return (status, nil, 0) }
        let ticket = try ticket(engine, state)
        return (.ok, url(engine, state).text(), ticket)
    }
}

/// Rules, "Apply response", "SKAN 3 values": applies the endpoint's answer to a request that the host sent.
package struct ResponseCall: InstallCall {
    private let eventID: UnsafeRawBufferPointer?
    private let ticket: UInt64
    private let body: UnsafeRawBufferPointer
    private var response = Response.noValue

    /// The caller has checked the ticket.
    package init(eventID: UnsafeRawBufferPointer?, ticket: UInt64, _ body: UnsafeRawBufferPointer) {
        self.eventID = eventID
        self.ticket = ticket
        self.body = body
    }

    @inline(__always)
    package mutating func check(_ engine: borrowing EngineSettings) throws(Failure) {
        try engine.checkAsksEndpoint()
        response = try Response(body, engine.protocolVersion)
    }

    @inline(__always)
    package func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ConversionUpdate {
        let application = ResponseApplication(
            response: response, ticket: ticket, now: seconds(now), numbersFrom: engine.numbers.start(at: now))
        return ConversionUpdate(eventID: eventID, application: application)
    }

    @inline(__always)
    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ConversionUpdate, _ state: borrowing InstallState
    ) -> UpdateAnswer { UpdateAnswer(status, rule.update) }
}

/// Rules, "Update conversion values", "Model decision": gets the next value. With models it has one step; with an
/// endpoint it has two, with a request between them. After a conflict only the last step runs again; the request is
/// never sent again.
package struct UpdateCall: InstallCall {
    private var question: Question
    private var ticket: UInt64 = 0
    private var response: Response?

    package init(_ event: ReportedEvent) { question = Question(event: event) }

    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        guard !engine.models.isEmpty || engine.hasTransport else {
            throw Failure(.misuse, "transport: the engine was made without one; use request and apply, or give it one")
        }
    }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ConversionUpdate {
        guard engine.models.isEmpty else {
            let decision = ModelDecision(
                models: engine.models, event: question.event.name, amount: question.event.amount, now: seconds(now),
                numbersFrom: engine.numbers.start(at: now))
            return ConversionUpdate(eventID: question.event.id, decision: decision, revenue: question.revenue(now))
        }
        guard let response else { return question.begin(at: now) }
        let application = ResponseApplication(
            response: response, ticket: ticket, now: seconds(now), numbersFrom: engine.numbers.start(at: now))
        return ConversionUpdate(eventID: question.event.id, application: application)
    }

    package mutating func request(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ConversionUpdate,
        _ state: borrowing InstallState
    ) throws(Failure) -> ByteBuffer? {
        guard engine.models.isEmpty, response == nil, status == .ok else { return nil }
        ticket = try question.ticket(engine, state)
        return question.url(engine, state)
    }

    package mutating func received(
        _ body: UnsafeRawBufferPointer, _ engine: borrowing EngineSettings
    ) throws(Failure) {
        response = try Response(body, engine.protocolVersion)
    }

    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ConversionUpdate, _ state: borrowing InstallState
    ) -> UpdateAnswer { UpdateAnswer(status, rule.update) }
}

extension EngineSettings {
    /// Throws MISUSE if models decide the values, or if there is no endpoint to ask.
    borrowing func checkAsksEndpoint() throws(Failure) {
        guard models.isEmpty else {
            throw Failure(
                .misuse, "models: this engine decides values itself; it makes no requests and takes no answers")
        }
        guard target.hasEndpoint else {
            throw Failure(.misuse, "endpoint_url: the engine was made without one")
        }
    }
}
