internal import SKANCore
internal import SKANEngine
internal import SKANSystem

/// Rules, "Endpoint requests", "Endpoint decisions": answers the requests of apps that have the same models.
final class EndpointEngine: Sendable {
    private let protocolVersion: ProtocolVersion
    /// The first one is for new users. None: of SKAN 3 it is the published test endpoint, of SKAN 4 it says so.
    private let models: [ConversionModel]
    private let records: InstallRecords
    private let clock: ServerClock

    init(
        _ protocolVersion: ProtocolVersion, _ models: [ConversionModel], _ records: InstallRecords,
        _ clock: ServerClock
    ) {
        self.protocolVersion = protocolVersion
        self.models = models
        self.records = records
        self.clock = clock
    }

    /// How a request ended, with the JSON it is answered with; of `.rejected` that holds the reason.
    func answer(_ target: Bytes) throws(Failure) -> (status: Status, json: [UInt8]) {
        let query = try endpointQuery(target, protocolVersion)
        let now = clock.microseconds
        try checkTime(now)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(query.count, 1), alignment: 1)
        defer { memory.deallocate() }
        var answer = JSONWriter(capacity: 160)
        let status = try decide(query, memory, seconds(now), &answer)
        return (status, answer.finish().array)
    }

    private func decide(
        _ query: Bytes, _ memory: UnsafeMutableRawBufferPointer, _ now: Int64, _ answer: inout JSONWriter
    ) throws(Failure) -> Status {
        let request: EndpointRequest
        do throws(EndpointRejection) {
            request = try EndpointRequest(query, in: memory, protocolVersion, models: models, now: now)
        } catch {
            answer.answerRejection(error.reason)
            return .rejected
        }
        guard !models.isEmpty else {
            let decision = Ruling(TestEndpointDecision(request, now: now))
            let status = try perform(decision, of: request)
            answer.answer(skan3: decision.rule.fine)
            return status
        }
        let decision = Ruling(EndpointDecision(request, models: models, now: now))
        let status = try perform(decision, of: request)
        request.write(status == .ok ? decision.rule.update : nil, to: &answer)
        return status
    }

    private func perform(_ decision: any RuleObject, of request: EndpointRequest) throws(Failure) -> Status {
        var key = ByteBuffer(capacity: Limits.installIDBytes)
        request.writeKey(to: &key)
        return try records.perform(decision, key.bytes, protocolVersion)
    }
}
