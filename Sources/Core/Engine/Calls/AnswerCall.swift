import SKANCore

/// Rules, "Endpoint requests", "Endpoint decisions", "Test endpoint": answers a request in the role of the endpoint. A
/// driver creates the call from the request's target, calls `check`, reads the clock and calls `read`. If `read`
/// returns a key, the driver runs the call as a rule on the record under that key. Then `json` gives the answer.
package final class AnswerCall: Rule {
    private let query: UnsafeRawBufferPointer
    private let protocolVersion: ProtocolVersion
    private let models: [ConversionModel]
    private let older: OlderModels?
    private let memory: UnsafeMutableRawBufferPointer
    private var key = ByteBuffer(capacity: Limits.installIDBytes &+ 1)
    private var decision: EndpointDecision?
    /// The reason why the request was refused; empty if it was not.
    package private(set) var reason: Message = ""

    /// `target`: a path and query, which must stay valid during the call. The first of `models` is for new users.
    /// `older`: the models that users of earlier configurations began with; nil if there are none.
    package convenience init(
        _ target: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion, _ models: [ConversionModel],
        older: OlderModels? = nil
    ) throws(Failure) {
        self.init(query: try endpointQuery(target, protocolVersion), protocolVersion, models, older)
    }

    private init(
        query: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion, _ models: [ConversionModel],
        _ older: OlderModels?
    ) {
        self.query = query
        self.protocolVersion = protocolVersion
        self.models = models
        self.older = older
        memory = .allocate(byteCount: max(query.count, 1), alignment: 1)
    }

    deinit { memory.deallocate() }

    package func check(_ engine: borrowing EngineSettings) throws(Failure) {
        if engine.hasTransport {
            throw Failure(.misuse, "transport: an engine that asks an endpoint cannot answer as one")
        }
    }

    /// Reads the request at `now`, in microseconds since 1970, and returns the key of its user's record, followed by a
    /// NUL. Returns nil if the request is refused; the call's status is then REJECTED.
    package func read(at now: Int64) -> UnsafeRawBufferPointer? {
        let now = seconds(now)
        do throws(EndpointRejection) {
            let request = try EndpointRequest(
                query, in: memory, protocolVersion, models: models, older: older, now: now)
            decision = EndpointDecision(request, models: models, older: older, now: now)
            request.writeKey(to: &key)
        } catch {
            reason = error.reason
            return nil
        }
        key.append(0)
        return key.lent(0..<(key.count &- 1))
    }

    package func run(on state: inout InstallState) throws(Failure) -> Verdict {
        guard let verdict = try decision?.run(on: &state) else { return .unchanged(.rejected) }
        if verdict.status == .rejected { reason = decision?.rejection.reason ?? reason }
        return verdict
    }

    /// The body of the answer. `status` is the result of the call.
    package func json(_ status: Status) -> ByteBuffer {
        var answer = JSONWriter(capacity: 160)
        if let decision, status != .rejected {
            decision.write(status, to: &answer)
        } else {
            answer.answerRejection(reason)
        }
        return answer.finish()
    }
}
