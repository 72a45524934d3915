import CSKAN
import SKANCore
import SKANEngine

/// The functions that get conversion values from an endpoint. What they do stands in skan.h.

@_cdecl("skan_conversion_request")
@implementation
public func skan_conversion_request(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ eventName: UnsafePointer<CChar>?,
    _ device: UnsafePointer<skan_device>?, _ url: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
    _ ticket: UnsafeMutablePointer<UInt64>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    url?.pointee = nil
    ticket?.pointee = 0
    return call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        let event = try Arguments.eventName(bytes(eventName, limit: Limits.eventNameBytes))
        let device = try SKANLibrary.device(device)
        guard let url else { throw null("url") }
        try checkNotInHook(engine)
        try checkNoModels(engine)
        let now = try engine.now()
        let reading = try engine.read(key)
        guard reading.state.isRegistered else { return .notRegistered }
        guard reading.state.window(at: seconds(now)) != nil else { return .windowClosed }
        try reading.state.requireNoModel()
        let number = try engine.pointee.tickets.next(after: reading.state.newestTicket, now: now)
        url.pointee = cText(engine.pointee.target.url(event: event, device: device, state: reading.state))
        ticket?.pointee = number
        return .ok
    }
}

@_cdecl("skan_apply_response")
@implementation
public func skan_apply_response(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ ticket: UInt64, _ body: UnsafeRawPointer?,
    _ length: Int, _ out: UnsafeMutablePointer<skan_update>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        try Arguments.checkTicket(ticket)
        let answer = try SKANLibrary.body(body, length, "body")
        try checkNotInHook(engine)
        try checkNoModels(engine)
        let protocolVersion = engine.pointee.protocolVersion
        let response = try Response(answer, protocolVersion)
        let rule = ResponseApplication(response: response, ticket: ticket, now: seconds(try engine.now()))
        var transaction = Transaction(rule, protocolVersion)
        let status = try engine.perform(&transaction, key)
        if status == .ok { out.set(transaction.rule.update) }
        return status
    }
}

@_cdecl("skan_update_conversion_values")
@implementation
public func skan_update_conversion_values(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ eventName: UnsafePointer<CChar>?,
    _ eventID: UnsafePointer<CChar>?, _ device: UnsafePointer<skan_device>?,
    _ out: UnsafeMutablePointer<skan_update>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        let event = try Arguments.eventName(bytes(eventName, limit: Limits.eventNameBytes))
        let id = bytes(eventID, limit: Limits.eventIDBytes)
        try Arguments.checkEventID(id)
        let device = try SKANLibrary.device(device)
        try checkNotInHook(engine)
        let protocolVersion = engine.pointee.protocolVersion
        func end(_ rule: ConversionEnding) throws(Failure) -> Status {
            let ending = Ruling(rule)
            let status = try engine.perform(ending, key)
            if status == .ok { out.set(ending.rule.update) }
            return status
        }
        if !engine.pointee.models.isEmpty {
            let now = seconds(try engine.now())
            let decision = ModelDecision(models: engine.pointee.models, event: event, now: now)
            return try end(ConversionEnding(eventID: id, decision: decision))
        }
        guard let transport = engine.pointee.transport else {
            throw Failure(.misuse, "transport: the engine was made without one; use request and apply, or give it one")
        }

        let start = try engine.now()
        let rule = Ruling(ConversionBeginning(eventID: id, now: seconds(start)))
        var beginning = Transaction(AnyRule(rule), protocolVersion)
        let status = try engine.perform(&beginning, key)
        guard status == .ok else { return status }
        let ticket = try engine.pointee.tickets.next(after: beginning.state.newestTicket, now: start)
        let url = engine.pointee.target.url(event: event, device: device, state: beginning.state)
        let response = try engine.get(url, transport)

        let application = ResponseApplication(response: response, ticket: ticket, now: seconds(try engine.now()))
        return try end(ConversionEnding(eventID: id, application: application))
    }
}

extension Engine {
    /// Asks the endpoint by the host's transport.
    fileprivate func get(_ url: consuming ByteBuffer, _ transport: skan_transport) throws(Failure) -> Response {
        guard let hook = transport.get else { throw null("transport.get") }
        let url = cText(url)
        defer { url.deallocate() }
        var buffer = BufferObject()
        let status = Status(
            rawValue: withUnsafeMutablePointer(to: &buffer) { buffer in
                inHook { hook(transport.context, url, OpaquePointer(buffer)) }
            })
        switch status {
        case .ok:
            return try Response(buffer.bytes.bytes, pointee.protocolVersion)
        case .limitExceeded:
            throw Failure(.limitExceeded, "transport.get: the answer is longer than it takes")
        default:
            throw Failure(.transport, "transport.get: expected SKAN_OK, got \(status.name) (\(status.rawValue))")
        }
    }
}
