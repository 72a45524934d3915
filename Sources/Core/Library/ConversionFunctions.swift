import CSKAN
import SKANCore
import SKANEngine
import SKANFace

/// The functions that report events and get conversion values. skan.h describes them.

@_cdecl("skan_update_conversion_values")
@implementation
public func skan_update_conversion_values(
    _ engine: OpaquePointer?, _ installID: TextIn, _ event: UnsafePointer<skan_event>?,
    _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        let event = try CheckedEvent(event, engine)
        guard event.countsReengagements else {
            let update = UpdateCall(event: event.name, eventID: event.id, amount: event.amount, event.device)
            return out.take(try engine.perform(update, key))
        }
        let update = ReengagementCall(
            event: event.name, eventID: event.id, amount: event.amount, reengagement: event.reengagement, event.device)
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
        let event = try CheckedEvent(event, engine)
        guard let url else { throw null("url") }
        let answer =
            event.countsReengagements
            ? try engine.perform(
                ReengagementRequestCall(
                    event: event.name, eventID: event.id, amount: event.amount, reengagement: event.reengagement,
                    event.device), key)
            : try engine.perform(
                RequestCall(event: event.name, eventID: event.id, amount: event.amount, event.device), key)
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
        let event = try CheckedEvent(event, engine)
        try Arguments.checkTicket(ticket)
        let body = try SKANLibrary.body(body, length, "body")
        guard event.countsReengagements else {
            return out.take(try engine.perform(ResponseCall(eventID: event.id, ticket: ticket, body), key))
        }
        let response = ReengagementCall(
            event: event.name, eventID: event.id, reengagement: event.reengagement, ticket: ticket, body: body)
        return out.take(try engine.performRarely(response, key), response.installUpdate)
    }
}

/// A session or an event from a host, checked.
private struct CheckedEvent {
    let name: UnsafeRawBufferPointer
    let id: UnsafeRawBufferPointer?
    let amount: EventAmount?
    let device: Device
    let reengagement: UInt32
    let countsReengagements: Bool

    /// NULL is a session.
    @inline(__always)
    init(_ event: UnsafePointer<skan_event>?, _ engine: Engine) throws(Failure) {
        let event = try SizedStruct("event", skan_event()).read(event)
        name = try Arguments.eventName(bytes(event.name, limit: Limits.eventNameBytes))
        id = bytes(event.event_id, limit: Limits.eventIDBytes)
        try Arguments.checkEventID(id)
        amount = try event.eventAmount(engine.pointee.settings.protocolVersion)
        device = try SKANLibrary.device(event.device)
        reengagement = event.reengagement
        countsReengagements = engine.pointee.settings.countsReengagements(reengagement)
    }
}

extension skan_event {
    /// The amount that came with the event; nil if none came.
    fileprivate func eventAmount(_ protocolVersion: ProtocolVersion) throws(Failure) -> EventAmount? {
        guard let letters = bytes(currency, limit: 3) else {
            guard amount.number == 0, amount.text == nil, kind == 0 else {
                throw Failure(.invalidArgument, "currency: expected three ASCII letters with an amount, got NULL")
            }
            return nil
        }
        return EventAmount(
            amount: try amount.money(), currency: try Arguments.currency(letters),
            kind: try Arguments.kind(kind, protocolVersion))
    }
}

extension skan_amount {
    @inline(__always)
    func money() throws(Failure) -> Money {
        guard let text = bytes(text, limit: Limits.amountBytes) else { return try Arguments.amount(number) }
        return try Arguments.amount(text: text)
    }
}
