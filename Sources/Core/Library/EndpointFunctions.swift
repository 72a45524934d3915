import CSKAN
import SKANCore
import SKANEngine

/// skan_answer_request, the other side of skan_conversion_request. What it does stands in skan.h.

@_cdecl("skan_answer_request")
@implementation
public func skan_answer_request(
    _ engine: OpaquePointer?, _ target: UnsafePointer<CChar>?, _ outcome: UnsafeMutablePointer<skan_status>?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    json?.pointee = nil
    outcome?.pointee = 0
    return call(error) { () throws(Failure) in
        guard let engine = Engine(engine) else { throw null("engine") }
        guard let target = bytes(target, limit: Limits.requestBytes) else { throw null("target") }
        guard let json else { throw null("json") }
        let query = try endpointQuery(target, engine.pointee.protocolVersion)
        try checkNotInHook(engine)
        guard engine.pointee.transport == nil else {
            throw Failure(.misuse, "transport: an engine that asks an endpoint is none itself")
        }
        let now = seconds(try engine.now())
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(query.count, 1), alignment: 1)
        defer { memory.deallocate() }
        var answer = JSONWriter(capacity: 160)
        let status = try engine.answer(query, memory, now, &answer)
        json.pointee = cText(answer.finish())
        outcome?.pointee = status.rawValue
        return .ok
    }
}

extension Engine {
    /// Decides on a request and writes the answer; answers how it ended, REJECTED with a reason in the answer.
    fileprivate func answer(
        _ query: UnsafeRawBufferPointer, _ memory: UnsafeMutableRawBufferPointer, _ now: Int64,
        _ answer: inout JSONWriter
    ) throws(Failure) -> Status {
        let request: EndpointRequest
        do throws(EndpointRejection) {
            request = try EndpointRequest(
                query, in: memory, pointee.protocolVersion, models: pointee.models, now: now)
        } catch {
            answer.answerRejection(error.reason)
            return .rejected
        }
        var key = ByteBuffer(capacity: Limits.installIDBytes &+ 1)
        request.writeKey(to: &key)
        key.append(0)
        let install = InstallKey(
            text: UnsafeRawPointer(key.base).assumingMemoryBound(to: CChar.self),
            bytes: UnsafeRawBufferPointer(start: key.base, count: key.count &- 1))
        guard !pointee.models.isEmpty else {
            let decision = Ruling(TestEndpointDecision(request, now: now))
            let status = try perform(decision, install)
            answer.answer(skan3: decision.rule.fine)
            return status
        }
        let decision = Ruling(EndpointDecision(request, models: pointee.models, now: now))
        let status = try perform(decision, install)
        request.write(status == .ok ? decision.rule.update : nil, to: &answer)
        return status
    }
}
