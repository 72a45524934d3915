import SKANCore

/// Rules, "Endpoint requests", "Endpoint decisions", "Test endpoint": the other side of a request. A driver makes it of
/// the request's target, calls `check`, reads the clock and calls `read`; where that answers a key, it runs the call as
/// a rule on the install under that key; `json` is the answer.
package final class AnswerCall: Rule {
    private let query: UnsafeRawBufferPointer
    private let protocolVersion: ProtocolVersion
    private let models: [ConversionModel]
    private let memory: UnsafeMutableRawBufferPointer
    private var key = ByteBuffer(capacity: Limits.installIDBytes &+ 1)
    private var decision: EndpointDecision?
    private var reason: Message = ""

    /// Path and query; they stand as long as the call. The first model is for new users.
    package convenience init(
        _ target: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion, _ models: [ConversionModel]
    ) throws(Failure) {
        self.init(query: try endpointQuery(target, protocolVersion), protocolVersion, models)
    }

    private init(query: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion, _ models: [ConversionModel]) {
        self.query = query
        self.protocolVersion = protocolVersion
        self.models = models
        memory = .allocate(byteCount: max(query.count, 1), alignment: 1)
    }

    deinit { memory.deallocate() }

    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        if engine.hasTransport {
            throw Failure(.misuse, "transport: an engine that asks an endpoint cannot answer as one")
        }
    }

    /// Reads the request. Answers the key of its user, behind which a NUL stands; nil where the request is refused,
    /// which is then REJECTED. Microseconds since 1970.
    package func read(at now: Int64) -> UnsafeRawBufferPointer? {
        let now = seconds(now)
        do throws(EndpointRejection) {
            let request = try EndpointRequest(query, in: memory, protocolVersion, models: models, now: now)
            decision = EndpointDecision(request, models: models, now: now)
            request.writeKey(to: &key)
        } catch {
            reason = error.reason
            return nil
        }
        key.append(0)
        return key.lent(0..<(key.count &- 1))
    }

    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        try decision?.run(on: &state) ?? .unchanged(.rejected)
    }

    /// The body of the answer, once it is known how the call ended.
    package func json(_ status: Status) -> ByteBuffer {
        var answer = JSONWriter(capacity: 160)
        if let decision { decision.write(status, to: &answer) } else { answer.answerRejection(reason) }
        return answer.finish()
    }
}
