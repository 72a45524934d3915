import CSKAN
import SKANCore
import SKANEngine
import SKANFace

/// The functions that get conversion values from an endpoint. What they do stands in skan.h.

@_cdecl("skan_conversion_request")
@implementation
public func skan_conversion_request(
    _ engine: OpaquePointer?, _ installID: TextIn, _ eventName: TextIn, _ device: UnsafePointer<skan_device>?,
    _ url: TextOut, _ ticket: UnsafeMutablePointer<UInt64>?, _ error: ErrorOut
) -> skan_status {
    url?.pointee = nil
    ticket?.pointee = 0
    return call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        let event = try Arguments.eventName(bytes(eventName, limit: Limits.eventNameBytes))
        let request = RequestCall(event: event, try SKANLibrary.device(device))
        guard let url else { throw null("url") }
        let answer = try engine.perform(request, key)
        url.pointee = answer.url?.start
        ticket?.pointee = answer.ticket
        return answer.status
    }
}

@_cdecl("skan_apply_response")
@implementation
public func skan_apply_response(
    _ engine: OpaquePointer?, _ installID: TextIn, _ ticket: UInt64, _ body: UnsafeRawPointer?, _ length: Int,
    _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        try Arguments.checkTicket(ticket)
        let response = ResponseCall(ticket: ticket, try SKANLibrary.body(body, length, "body"))
        return out.take(try engine.perform(response, key))
    }
}

@_cdecl("skan_update_conversion_values")
@implementation
public func skan_update_conversion_values(
    _ engine: OpaquePointer?, _ installID: TextIn, _ eventName: TextIn, _ eventID: TextIn,
    _ device: UnsafePointer<skan_device>?, _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        let event = try Arguments.eventName(bytes(eventName, limit: Limits.eventNameBytes))
        let id = bytes(eventID, limit: Limits.eventIDBytes)
        try Arguments.checkEventID(id)
        let update = UpdateCall(event: event, eventID: id, try SKANLibrary.device(device))
        return out.take(try engine.perform(update, key))
    }
}
