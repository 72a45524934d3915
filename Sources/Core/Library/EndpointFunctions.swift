import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// skan_answer_request, which answers the requests of skan_conversion_request. skan.h describes it.

@_cdecl("skan_answer_request")
@implementation
public func skan_answer_request(
    _ engine: OpaquePointer?, _ target: TextIn, _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    textCall(json, error) { json throws(Failure) in
        guard let engine = Engine(engine) else { throw null("engine") }
        guard let target = bytes(target, limit: Limits.requestBytes) else { throw null("target") }
        let protocolVersion = engine.pointee.settings.protocolVersion
        var call = try AnswerCall(target, protocolVersion, engine.pointee.settings.models)
        try engine.checkNotInHook()
        try call.check(engine.pointee.settings)
        var status = Status.rejected
        if let key = call.read(at: try engine.now()) {
            var state = InstallState(protocolVersion)
            status = try engine.perform(&state, key, &call)
        }
        json.pointee = cText(call.json(status))
        if status == .rejected { throw Failure(status, call.reason) }
        return status
    }
}
