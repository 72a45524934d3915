import SKANCore

/// A call about re-engagements. It runs its work as a rule; afterwards the work object holds the result.
package struct ReengagementCall: InstallCall {
    private let work: any ReengagementWork
    private let readsClock: Bool
    /// The "Update conversions" work, which may ask the endpoint; nil for all other calls.
    private var update: ConversionsUpdate?
    private var question: Question?
    private var ticket: UInt64 = 0

    package init(_ work: any ReengagementWork, readsClock: Bool = true) {
        self.work = work
        self.readsClock = readsClock
    }

    /// Rules, "Update conversions": like `UpdateCall`, but for the re-engagements too.
    package init(
        event: UnsafeRawBufferPointer, eventID: UnsafeRawBufferPointer?, amount: EventAmount? = nil,
        reengagement: UInt32, _ device: Device
    ) {
        let update = ConversionsUpdate(event: event, eventID: eventID, amount: amount, named: reengagement)
        self.init(update)
        self.update = update
        question = Question(event: event, amount: amount, device: device)
    }

    /// Rules, "Conversions": MISUSE in SKAN 3.
    @_optimize(size)
    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        guard engine.protocolVersion == .skan4 else {
            throw Failure(.misuse, "engine: its protocol is SKAN 3, which has no re-engagements")
        }
        guard let update else { return }
        update.models = engine.models
        update.hasTransport = engine.hasTransport
        guard !engine.models.isEmpty || engine.hasTransport || !engine.reengagements.models.isEmpty else {
            throw Failure(.misuse, "transport: the engine was made with neither transport nor models")
        }
    }

    package func asksClock(_ engine: borrowing EngineSettings) -> Bool { readsClock }

    package mutating func rule(_ engine: borrowing EngineSettings, _ now: Int64) -> ReengagementRule {
        question?.now = now
        work.begin(engine.reengagements, now: seconds(now))
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
