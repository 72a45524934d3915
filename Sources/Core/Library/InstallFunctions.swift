import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// The functions on one install that need neither models nor an endpoint. skan.h describes them.

@_cdecl("skan_register")
@implementation
public func skan_register(
    _ engine: OpaquePointer?, _ installID: TextIn, _ registration: UnsafePointer<skan_registration>?,
    _ out: UnsafeMutablePointer<skan_update>?, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let out = try UpdateOut(out)
        let (engine, key) = try checked(engine, installID)
        guard let registration else { return out.take(try engine.perform(RegisterCall(), key)) }
        let given = try SizedStruct("registration", skan_registration()).read(registration)
        let launch = try FirstLaunch(
            time: given.first_launch, beginsAgain: given.begins_again, keepsRevenue: given.keeps_revenue)
        return out.take(try engine.performRarely(RegisterCall(launch), key))
    }
}

@_cdecl("skan_update_revenue")
@implementation
public func skan_update_revenue(
    _ engine: OpaquePointer?, _ installID: TextIn, _ amount: skan_amount, _ currency: TextIn, _ kind: Int32,
    _ eventID: TextIn, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        let revenue = try RevenueCall(
            try amount.money(), currency, kind, eventID, engine.pointee.settings.protocolVersion)
        return try engine.perform(revenue, key)
    }
}

extension RevenueCall {
    @inline(__always)
    init(
        _ amount: Money, _ currency: TextIn, _ kind: Int32, _ eventID: TextIn, reengagement: UInt32 = 0,
        _ protocolVersion: ProtocolVersion
    ) throws(Failure) {
        guard let letters = bytes(currency, limit: 3) else { throw null("currency") }
        try self.init(
            amount, currency: letters, kind: kind, eventID: bytes(eventID, limit: Limits.eventIDBytes),
            reengagement: reengagement, protocolVersion)
    }
}

@_cdecl("skan_details")
@implementation
public func skan_details(
    _ engine: OpaquePointer?, _ installID: TextIn, _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    textCall(json, error) { json throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        json.pointee = try engine.perform(StateCall(), key).detailsText().start
        return .ok
    }
}

@_cdecl("skan_metadata")
@implementation
public func skan_metadata(
    _ engine: OpaquePointer?, _ installID: TextIn, _ query: TextOut, _ error: ErrorOut
) -> skan_status {
    textCall(query, error, named: "query") { query throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        query.pointee = cText(try engine.perform(StateCall(), key).metadata())
        return .ok
    }
}

@_cdecl("skan_import_details")
@implementation
public func skan_import_details(
    _ engine: OpaquePointer?, _ installID: TextIn, _ json: UnsafeRawPointer?, _ length: Int, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        return try engine.perform(ImportCall(try body(json, length, "json")), key)
    }
}

@_cdecl("skan_forget")
@implementation
public func skan_forget(
    _ engine: OpaquePointer?, _ installID: TextIn, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checked(engine, installID)
        try engine.checkNotInHook()
        switch engine.pointee.store {
        case .memory(let memory):
            engine.pointee.settings.numbers.forget(upTo: try memory.forget(key))
            return .ok
        case .hooks(let store):
            let removal = SingleInstall(removing: key)
            HookStore(engine, store).perform(removal)
            defer { engine.pointee.settings.numbers.forget(upTo: removal.removedNumber) }
            return try removal.end()
        }
    }
}

@_cdecl("skan_rename")
@implementation
public func skan_rename(
    _ engine: OpaquePointer?, _ oldID: TextIn, _ newID: TextIn, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        guard let engine = Engine(engine) else { throw null("engine") }
        let (old, new) = (try checkedKey(oldID, "old_id"), try checkedKey(newID, "new_id"))
        try engine.checkNotInHook()
        let renaming = Renaming(old, to: new, engine.pointee.settings.protocolVersion)
        defer { engine.pointee.settings.numbers.forget(upTo: renaming.movedNumber) }
        switch engine.pointee.store {
        case .memory(let memory): memory.drive(renaming)
        case .hooks(let store): HookStore(engine, store).perform(renaming)
        }
        return try renaming.end()
    }
}
