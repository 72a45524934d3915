import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// The functions that report events and get conversion values. skan.h describes them.

@_cdecl("skan_update_conversion_values")
@implementation
public func skan_update_conversion_values(
    _ engine: OpaquePointer?, _ installID: TextIn, _ event: UnsafePointer<skan_event>?,
    _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        let (reported, countsReengagements) = try reported(event, engine)
        guard countsReengagements else { return out.take(try engine.perform(UpdateCall(reported), key)) }
        let update = ReengagementCall(reported)
        return out.take(try engine.performRarely(update, key), update.installUpdate)
    }
}

@_cdecl("skan_conversion_request")
@implementation
public func skan_conversion_request(
    _ engine: OpaquePointer?, _ installID: TextIn, _ event: UnsafePointer<skan_event>?, _ url: TextOut,
    _ ticket: UnsafeMutablePointer<UInt64>?, _ error: ErrorOut
) -> skan_status {
    url?.pointee = nil
    ticket?.pointee = 0
    return call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        let (reported, countsReengagements) = try reported(event, engine)
        guard let url else { throw null("url") }
        let answer =
            countsReengagements
            ? try engine.perform(ReengagementRequestCall(reported), key)
            : try engine.perform(RequestCall(reported), key)
        url.pointee = answer.url?.start
        ticket?.pointee = answer.ticket
        return answer.status
    }
}

@_cdecl("skan_apply_response")
@implementation
public func skan_apply_response(
    _ engine: OpaquePointer?, _ installID: TextIn, _ event: UnsafePointer<skan_event>?, _ ticket: UInt64,
    _ body: UnsafeRawPointer?, _ length: Int, _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        let event = try checkedEvent(event)
        let (name, id) = (try event.name(engine), try event?.id())
        try Arguments.checkTicket(ticket)
        let body = try SKANLibrary.body(body, length, "body")
        let reengagement = event?.pointee.reengagement ?? 0
        guard engine.pointee.settings.countsReengagements(reengagement) else {
            return out.take(try engine.perform(ResponseCall(eventID: id, ticket: ticket, body), key))
        }
        let response = ReengagementCall(
            event: name, eventID: id, reengagement: reengagement, ticket: ticket, body: body)
        return out.take(try engine.performRarely(response, key), response.installUpdate)
    }
}

/// Checks a session or an event from a host; NULL means a session. Returns the session or event, and whether it can
/// count for re-engagements.
@inline(__always)
private func reported(
    _ event: UnsafePointer<skan_event>?, _ engine: Engine
) throws(Failure) -> (ReportedEvent, countsReengagements: Bool) {
    let event = try checkedEvent(event)
    let reengagement = event?.pointee.reengagement ?? 0
    let reported = ReportedEvent(
        name: try event.name(engine), id: try event?.id(),
        amount: try event?.amount(engine.pointee.settings.protocolVersion),
        device: try device(event?.pointee.device), reengagement: reengagement)
    return (reported, engine.pointee.settings.countsReengagements(reengagement))
}

/// Checks the size of an event, so that it is safe to read all of its members, and returns the event.
@inline(__always)
private func checkedEvent(_ event: UnsafePointer<skan_event>?) throws(Failure) -> UnsafePointer<skan_event>? {
    if let event { try SizedStruct("event", skan_event()).checkSize(at: event) }
    return event
}

extension UnsafePointer<skan_event>? {
    @inline(__always)
    fileprivate func name(_ engine: Engine) throws(Failure) -> UnsafeRawBufferPointer {
        try Arguments.eventName(
            bytes(self?.pointee.name, limit: Limits.eventNameBytes),
            isForRequest: engine.pointee.settings.asksEndpoint)
    }
}

extension UnsafePointer<skan_event> {
    @inline(__always)
    fileprivate func id() throws(Failure) -> UnsafeRawBufferPointer? {
        let id = bytes(pointee.event_id, limit: Limits.eventIDBytes)
        try Arguments.checkEventID(id)
        return id
    }

    @inline(__always)
    fileprivate func amount(_ protocolVersion: ProtocolVersion) throws(Failure) -> EventAmount? {
        guard let letters = bytes(pointee.currency, limit: 3) else {
            guard pointee.amount.number == 0, pointee.amount.text == nil, pointee.kind == 0 else {
                throw Failure(.invalidArgument, "currency: expected three ASCII letters with an amount, got NULL")
            }
            return nil
        }
        return EventAmount(
            amount: try pointee.amount.money(), currency: try Arguments.currency(letters),
            kind: try Arguments.kind(pointee.kind, protocolVersion))
    }
}

extension skan_amount {
    @inline(__always)
    func money() throws(Failure) -> Money {
        guard let text = bytes(text, limit: Limits.amountBytes) else { return try Arguments.amount(number) }
        return try Arguments.amount(text: text)
    }
}
