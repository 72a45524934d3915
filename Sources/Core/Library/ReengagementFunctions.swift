import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// The functions for re-engagements; reengagement.h describes them.

@_cdecl("skan_reengage")
@implementation
public func skan_reengage(
    _ engine: OpaquePointer?, _ installID: TextIn, _ report: UnsafePointer<skan_reengagement_report>?,
    _ number: UnsafeMutablePointer<UInt32>?, _ error: ErrorOut
) -> skan_status {
    number?.pointee = 0
    return call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        guard let report else { throw null("report") }
        let given = try SizedStruct("report", skan_reengagement_report()).read(report)
        let reengage = Reengage(try ReengagementReport(given))
        let status = try engine.perform(reengage, key)
        number?.pointee = reengage.number
        return status
    }
}

/// Does the same as `checked`, but is not inlined, because calls about re-engagements are rare.
@inline(never)
func checkedRarely(
    _ engine: OpaquePointer?, _ installID: TextIn
) throws(Failure) -> (engine: Engine, key: UnsafeRawBufferPointer) { try checked(engine, installID) }

extension Engine {
    /// Runs a call about re-engagements that does not report an event.
    @inline(never)
    func perform(
        _ work: any ReengagementWork, readsClock: Bool = true, isForSKAN3: Bool = false, _ key: UnsafeRawBufferPointer
    ) throws(Failure) -> Status {
        try performRarely(ReengagementCall(work, readsClock: readsClock, isForSKAN3: isForSKAN3), key)
    }

    /// Does the same as `perform`, but is not inlined, so that it is compiled only once for each kind of call.
    @inline(never)
    func performRarely<Call: InstallCall>(_ call: Call, _ key: UnsafeRawBufferPointer) throws(Failure) -> Call.Answer {
        try perform(call, key)
    }
}

extension ReengagementReport {
    @_optimize(size)
    fileprivate init(_ given: skan_reengagement_report) throws(Failure) {
        try self.init(
            openID: bytes(given.open_id, limit: Limits.eventIDBytes), tag: bytes(given.tag, limit: Limits.tagBytes),
            reference: bytes(given.reference, limit: Limits.referenceBytes), openedAt: given.opened_at,
            isStarted: given.is_started, isOverlapping: given.is_overlapping, system: try system(given.device))
    }
}

/// Checks a device, and returns its iOS version.
func system(_ pointer: UnsafePointer<skan_device>?) throws(Failure) -> UnsafeRawBufferPointer? {
    try device(pointer).osVersion
}

@_cdecl("skan_end_reengagement")
@implementation
public func skan_end_reengagement(
    _ engine: OpaquePointer?, _ installID: TextIn, _ number: UInt32, _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        return try engine.perform(try EndReengagement(number: number), readsClock: false, key)
    }
}

@_cdecl("skan_reengagements")
@implementation
public func skan_reengagements(
    _ engine: OpaquePointer?, _ installID: TextIn, _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    textCall(json, error) { json throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        let document = ReengagementsDocument()
        let status = try engine.perform(document, readsClock: false, key)
        json.pointee = cText(document.json)
        return status
    }
}
