import CSKAN
import SKANCore
import SKANEngine
import SKANFace

/// The functions that get conversion values from an endpoint. skan.h describes them.

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
        var event = skan_event()
        event.name = eventName
        event.event_id = eventID
        event.device = device
        return out.take(try engine.perform(try event.call(engine.pointee.settings.protocolVersion), key))
    }
}

@_cdecl("skan_update_conversion_values_with")
@implementation
public func skan_update_conversion_values_with(
    _ engine: OpaquePointer?, _ installID: TextIn, _ event: UnsafePointer<skan_event>?,
    _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        guard let event else { throw null("event") }
        let given = try SizedStruct("event", skan_event()).read(event)
        return out.take(try engine.perform(try given.call(engine.pointee.settings.protocolVersion), key))
    }
}

/// A session or an event from a host, checked.
struct CheckedEvent {
    let name: UnsafeRawBufferPointer
    let id: UnsafeRawBufferPointer?
    let amount: EventAmount?
    let device: Device
}

extension skan_event {
    fileprivate func call(_ protocolVersion: ProtocolVersion) throws(Failure) -> UpdateCall {
        let checked = try checked(protocolVersion)
        return UpdateCall(event: checked.name, eventID: checked.id, amount: checked.amount, checked.device)
    }

    func checked(_ protocolVersion: ProtocolVersion) throws(Failure) -> CheckedEvent {
        let event = try Arguments.eventName(bytes(name, limit: Limits.eventNameBytes))
        let id = bytes(event_id, limit: Limits.eventIDBytes)
        try Arguments.checkEventID(id)
        let amount = try eventAmount(protocolVersion)
        return CheckedEvent(name: event, id: id, amount: amount, device: try SKANLibrary.device(device))
    }

    /// The amount that came with the event; nil if none came.
    private func eventAmount(_ protocolVersion: ProtocolVersion) throws(Failure) -> EventAmount? {
        guard let letters = bytes(currency, limit: 3) else {
            guard amount == 0, amount_text == nil, !ad_monetization else {
                throw Failure(.invalidArgument, "currency: expected three ASCII letters with an amount, got NULL")
            }
            return nil
        }
        let money: Money
        if let text = bytes(amount_text, limit: Limits.amountBytes) {
            money = try Arguments.amount(text: text)
        } else {
            money = try Arguments.amount(amount)
        }
        return EventAmount(
            amount: money, currency: try Arguments.currency(letters),
            kind: try Arguments.kind(adMonetization: ad_monetization, protocolVersion))
    }
}
