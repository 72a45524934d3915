import CSKAN
import SKANCore
import SKANEngine

/// The functions on one install that need no conversion source. What they do stands in skan.h.

@_cdecl("skan_register")
@implementation
public func skan_register(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<skan_update>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        try checkNotInHook(engine)
        let rule = Registration(now: seconds(try engine.now()), model: engine.pointee.models.first)
        var transaction = Transaction(rule, engine.pointee.protocolVersion)
        let status = try engine.perform(&transaction, key)
        if status == .ok { out.set(transaction.rule.update) }
        return status
    }
}

@_cdecl("skan_update_revenue")
@implementation
public func skan_update_revenue(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ amount: Double,
    _ currency: UnsafePointer<CChar>?, _ adMonetization: Bool, _ eventID: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        let protocolVersion = engine.pointee.protocolVersion
        let revenue = try RevenueArguments(
            try Arguments.amount(amount), currency, adMonetization, eventID, protocolVersion)
        try checkNotInHook(engine)
        var transaction = Transaction(revenue.rule(now: seconds(try engine.now())), protocolVersion)
        return try engine.perform(&transaction, key)
    }
}

/// What an amount is given with, checked.
struct RevenueArguments {
    private let amount: Money
    private let currency: Currency
    private let kind: RevenueKind
    private let eventID: UnsafeRawBufferPointer?

    @inline(__always)
    init(
        _ amount: Money, _ currency: UnsafePointer<CChar>?, _ adMonetization: Bool, _ eventID: UnsafePointer<CChar>?,
        _ protocolVersion: ProtocolVersion
    ) throws(Failure) {
        self.amount = amount
        guard let letters = bytes(currency, limit: 3) else { throw null("currency") }
        self.currency = try Arguments.currency(letters)
        kind = try Arguments.kind(adMonetization: adMonetization, protocolVersion)
        self.eventID = bytes(eventID, limit: Limits.eventIDBytes)
        try Arguments.checkEventID(self.eventID)
    }

    @inline(__always)
    func rule(now: Int64) -> RevenueUpdate {
        RevenueUpdate(amount: amount, currency: currency, kind: kind, eventID: eventID, now: now)
    }
}

@_cdecl("skan_pending_update")
@implementation
public func skan_pending_update(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<skan_update>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        try checkNotInHook(engine)
        let now = seconds(try engine.now())
        guard let update = try engine.read(key).state.pendingUpdate(at: now) else { return .nothingPending }
        out.set(update)
        return .ok
    }
}

@_cdecl("skan_acknowledge_update")
@implementation
public func skan_acknowledge_update(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ id: UInt64, _ delivered: Bool,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        try checkNotInHook(engine)
        let rule = Acknowledgement(id: id, isDelivered: delivered)
        var transaction = Transaction(rule, engine.pointee.protocolVersion)
        return try engine.perform(&transaction, key)
    }
}

@_cdecl("skan_details")
@implementation
public func skan_details(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?,
    _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    json?.pointee = nil
    return call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        guard let json else { throw null("json") }
        try checkNotInHook(engine)
        json.pointee = try engine.read(key).state.detailsText().start
        return .ok
    }
}

@_cdecl("skan_metadata")
@implementation
public func skan_metadata(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?,
    _ query: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    query?.pointee = nil
    return call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        guard let query else { throw null("query") }
        try checkNotInHook(engine)
        query.pointee = cText(try engine.read(key).state.metadata())
        return .ok
    }
}

@_cdecl("skan_import_details")
@implementation
public func skan_import_details(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ json: UnsafeRawPointer?, _ length: Int,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        let document = try body(json, length, "json")
        try checkNotInHook(engine)
        let protocolVersion = engine.pointee.protocolVersion
        let imported = try InstallState(importing: document, protocolVersion)
        return try engine.perform(Ruling(Importing(imported, model: engine.pointee.models.first)), key)
    }
}

@_cdecl("skan_forget")
@implementation
public func skan_forget(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        try checkNotInHook(engine)
        try engine.remove(key)
        return .ok
    }
}

extension Engine {
    /// Reads the state of an install, as it is now.
    @inline(never)
    func read(_ key: InstallKey) throws(Failure) -> Transaction<Reading> {
        var transaction = Transaction(Reading(), pointee.protocolVersion)
        _ = try perform(&transaction, key)
        return transaction
    }
}

/// Gives text to the caller, ended by a NUL.
func cText(_ buffer: consuming ByteBuffer) -> UnsafeMutablePointer<CChar> {
    buffer.append(0)
    return UnsafeMutableRawPointer(buffer.take()).assumingMemoryBound(to: CChar.self)
}
