import SKANCore

/// Rules, "Request", "SKAN 3 requests", "Tickets": the request for the next value, for a host that makes it.
package struct RequestCall: InstallCall {
    private var question: Question

    package init(event: UnsafeRawBufferPointer, _ device: Device) { question = Question(event: event, device: device) }

    package func check(_ engine: borrowing EngineSettings) throws(Failure) { try engine.checkAsksEndpoint() }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ConversionUpdate {
        question.now = now
        return ConversionUpdate(eventID: nil, beginningAt: seconds(now))
    }

    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ConversionUpdate, _ state: borrowing InstallState
    ) throws(Failure) -> (status: Status, url: OwnedText?, ticket: UInt64) {
        guard status == .ok else { return (status, nil, 0) }
        let ticket = try question.ticket(engine, state)
        return (.ok, question.url(engine, state).text(), ticket)
    }
}

/// What an endpoint is asked.
struct Question {
    let event: UnsafeRawBufferPointer
    /// The money of the event.
    var amount: EventAmount?
    let device: Device
    var now: Int64 = 0

    func ticket(_ engine: borrowing EngineSettings, _ state: borrowing InstallState) throws(Failure) -> UInt64 {
        try engine.tickets.next(after: state.newestTicket, now: now)
    }

    func url(_ engine: borrowing EngineSettings, _ state: borrowing InstallState) -> ByteBuffer {
        engine.target.url(event: event, amount: amount, device: device, state: state)
    }
}

/// Rules, "Apply response", "SKAN 3 values": the endpoint's answer to a request that a host made.
package struct ResponseCall: InstallCall {
    private let ticket: UInt64
    private let body: UnsafeRawBufferPointer
    private var response = Response.noValue

    /// The ticket is checked.
    package init(ticket: UInt64, _ body: UnsafeRawBufferPointer) {
        self.ticket = ticket
        self.body = body
    }

    @inline(__always)
    package mutating func check(_ engine: borrowing EngineSettings) throws(Failure) {
        try engine.checkAsksEndpoint()
        response = try Response(body, engine.protocolVersion)
    }

    @inline(__always)
    package func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ResponseApplication {
        ResponseApplication(response: response, ticket: ticket, now: seconds(now))
    }

    @inline(__always)
    package func answer(
        _ engine: borrowing EngineSettings, _ status: Status, _ rule: ResponseApplication,
        _ state: borrowing InstallState
    ) -> UpdateAnswer { UpdateAnswer(status, rule.update) }
}

/// Rules, "Update conversion values", "Model decision": the next value, by the engine's models or, in two steps with a
/// request between them, by the endpoint. After a conflict only the last step runs again, never the request.
package struct UpdateCall: InstallCall {
    private let eventID: UnsafeRawBufferPointer?
    private var question: Question
    private var ticket: UInt64 = 0
    private var response: Response?

    package init(
        event: UnsafeRawBufferPointer, eventID: UnsafeRawBufferPointer?, amount: EventAmount? = nil, _ device: Device
    ) {
        self.eventID = eventID
        question = Question(event: event, amount: amount, device: device)
    }

    private func revenue(_ now: Int64) -> RevenueUpdate? {
        question.amount.map { RevenueUpdate($0, eventID: eventID, now: seconds(now)) }
    }

    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        guard !engine.models.isEmpty || engine.hasTransport else {
            throw Failure(.misuse, "transport: the engine was made without one; use request and apply, or give it one")
        }
    }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ConversionUpdate {
        guard engine.models.isEmpty else {
            let decision = ModelDecision(
                models: engine.models, event: question.event, amount: question.amount, now: seconds(now))
            return ConversionUpdate(eventID: eventID, decision: decision, revenue: revenue(now))
        }
        guard let response else {
            question.now = now
            return ConversionUpdate(eventID: eventID, revenue: revenue(now), beginningAt: seconds(now))
        }
        let application = ResponseApplication(response: response, ticket: ticket, now: seconds(now))
        return ConversionUpdate(eventID: eventID, application: application)
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
    /// MISUSE for a call that gets values from an endpoint, where models decide them.
    fileprivate borrowing func checkAsksEndpoint() throws(Failure) {
        guard models.isEmpty else {
            throw Failure(
                .misuse, "models: this engine decides values itself; it makes no requests and takes no answers")
        }
    }
}
