import CSKAN
import SKANCore
import SKANEngine
import SKANFace

/// The functions for re-engagements; skan.h describes them.

@_cdecl("skan_reengage")
@implementation
public func skan_reengage(
    _ engine: OpaquePointer?, _ installID: TextIn, _ report: UnsafePointer<skan_reengagement>?,
    _ number: UnsafeMutablePointer<UInt32>?, _ error: ErrorOut
) -> skan_status {
    number?.pointee = 0
    return call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        guard let report else { throw null("report") }
        let given = try SizedStruct("report", skan_reengagement()).read(report)
        let reengage = Reengage(try ReengagementReport(given))
        let status = try engine.perform(reengage, key)
        number?.pointee = reengage.number
        return status
    }
}

/// Does the same as `checked`, but is compiled once.
@inline(never)
private func checkedRarely(
    _ engine: OpaquePointer?, _ installID: TextIn
) throws(Failure) -> (engine: Engine, key: UnsafeRawBufferPointer) { try checked(engine, installID) }

extension Engine {
    /// Runs every call about re-engagements except `skan_update_conversions`.
    @inline(never)
    fileprivate func perform(
        _ work: any ReengagementWork, readsClock: Bool = true, _ key: UnsafeRawBufferPointer
    ) throws(Failure) -> Status { try performRarely(ReengagementCall(work, readsClock: readsClock), key) }

    @inline(never)
    fileprivate func performRarely(
        _ call: ReengagementCall, _ key: UnsafeRawBufferPointer
    ) throws(Failure) -> Status { try perform(call, key) }
}

extension ReengagementReport {
    @_optimize(size)
    fileprivate init(_ given: skan_reengagement) throws(Failure) {
        try self.init(
            openID: bytes(given.open_id, limit: Limits.eventIDBytes), tag: bytes(given.tag, limit: Limits.tagBytes),
            reference: bytes(given.reference, limit: Limits.referenceBytes), openedAt: given.opened_at,
            isStarted: try flag(given.is_started, "is_started"),
            isOverlapping: try flag(given.is_overlapping, "is_overlapping"), system: try system(given.device))
    }
}

private func flag(_ number: Int32, _ name: StaticString) throws(Failure) -> Bool {
    guard number == 0 || number == 1 else {
        throw Failure(.invalidArgument, "\(name): expected 0 or 1, got \(number)")
    }
    return number == 1
}

/// The version of a device's system; its form is checked as every device's.
private func system(_ pointer: UnsafePointer<skan_device>?) throws(Failure) -> UnsafeRawBufferPointer? {
    guard let pointer else { return nil }
    _ = try device(pointer)
    return bytes(try SizedStruct("device", skan_device()).read(pointer).os_version, limit: Limits.textBytes)
}

@_cdecl("skan_update_conversions")
@implementation
public func skan_update_conversions(
    _ engine: OpaquePointer?, _ installID: TextIn, _ event: UnsafePointer<skan_event>?, _ reengagement: UInt32,
    _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        guard let event else { throw null("event") }
        let given = try SizedStruct("event", skan_event()).read(event)
        let checked = try given.checked(engine.pointee.settings.protocolVersion)
        let update = ReengagementCall(
            event: checked.name, eventID: checked.id, amount: checked.amount, reengagement: reengagement,
            checked.device)
        return try engine.performRarely(update, key)
    }
}

@_cdecl("skan_pending_calls")
@implementation
public func skan_pending_calls(
    _ engine: OpaquePointer?, _ installID: TextIn, _ device: UnsafePointer<skan_device>?,
    _ out: UnsafeMutablePointer<skan_call>?, _ room: Int, _ count: UnsafeMutablePointer<Int>?, _ error: ErrorOut
) -> skan_status {
    count?.pointee = 0
    return call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        let system = try system(device)
        guard let count else { throw null("count") }
        guard out != nil || room == 0 else { throw null("out") }
        let stride = try out.map { out throws(Failure) in
            let size = try SizedStruct("out", skan_call()).checkOutSize(at: UnsafeRawPointer(out))
            try checkStride("out", size)
            return size
        }
        let listing = CallListing(system: system)
        let status = try engine.perform(listing, key)
        count.pointee = listing.calls.count
        // A room above Int.max comes as a negative number.
        guard room < 0 || listing.calls.count <= room else {
            throw Failure(.limitExceeded, "room: expected \(listing.calls.count) for the calls that wait, got \(room)")
        }
        guard let out, let stride else { return status }
        for (index, call) in listing.calls.enumerated() {
            var native = call.native
            native.size = stride
            let place = UnsafeMutableRawPointer(out) + index &* stride
            place.initializeMemory(as: UInt8.self, repeating: 0, count: stride)
            place.copyMemory(from: &native, byteCount: min(stride, MemoryLayout<skan_call>.stride))
        }
        return status
    }
}

extension AppCall {
    @_optimize(size)
    fileprivate var native: skan_call {
        var native = skan_call()
        native.id = id
        native.conversion = conversion
        native.framework = Int32(framework.rawValue)
        native.conversion_type = Int32(type.rawValue)
        native.window = Int32(window.rawValue)
        native.fine_value = Int32(fine)
        native.coarse_value = coarse.map { Int32($0) } ?? -1
        native.lock_window = locksWindow ? 1 : 0
        native.timestamp = timestamp
        native.valid_until = validUntil
        withUnsafeMutableBytes(of: &native.tag) { $0.copyBytes(from: tag.prefix(Limits.tagBytes)) }
        return native
    }
}

@_cdecl("skan_pending_calls_json")
@implementation
public func skan_pending_calls_json(
    _ engine: OpaquePointer?, _ installID: TextIn, _ device: UnsafePointer<skan_device>?, _ json: TextOut,
    _ error: ErrorOut
) -> skan_status {
    json?.pointee = nil
    return call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        let system = try system(device)
        guard let json else { throw null("json") }
        let listing = CallListing(system: system)
        let status = try engine.perform(listing, key)
        json.pointee = cText(listing.calls.json(now: listing.now))
        return status
    }
}

@_cdecl("skan_acknowledge_calls")
@implementation
public func skan_acknowledge_calls(
    _ engine: OpaquePointer?, _ installID: TextIn, _ results: UnsafePointer<skan_acknowledgement>?, _ count: Int,
    _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        let stride = try checkedStride(results, count)
        let acknowledgement = CallAcknowledgement(count) { index in
            let place = results.map { UnsafeRawPointer($0) + index &* stride }
            let given = place?.assumingMemoryBound(to: skan_acknowledgement.self).pointee ?? skan_acknowledgement()
            return (given.id, CallResult(rawValue: given.result) ?? .failed)
        }
        return try engine.perform(acknowledgement, key)
    }
}

/// Checks each result; answers the distance of two results in bytes.
@_optimize(size)
private func checkedStride(_ results: UnsafePointer<skan_acknowledgement>?, _ count: Int) throws(Failure) -> Int {
    // A count above Int.max arrives as a negative number.
    guard count >= 0, count <= Limits.batchItems else {
        throw Failure(.limitExceeded, "count: expected at most \(Limits.batchItems), got \(UInt(bitPattern: count))")
    }
    guard count > 0 else { return 0 }
    guard let results else { throw null("results") }
    let first = UnsafeRawPointer(results)
    let sized = SizedStruct("results", skan_acknowledgement())
    let stride = try sized.checkSize(at: first)
    try checkStride("results", stride)
    for index in 0..<count {
        let given = (first + index &* stride).assumingMemoryBound(to: skan_acknowledgement.self)
        guard given.pointee.size == stride else {
            throw Failure(.invalidArgument, "results[\(index)].size: expected \(stride) as in the first one")
        }
        try sized.checkSize(at: first + index &* stride)
        guard CallResult(rawValue: given.pointee.result) != nil else {
            throw Failure(.invalidArgument, "results[\(index)].result: expected 0 to 3, got \(given.pointee.result)")
        }
    }
    return stride
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
    json?.pointee = nil
    return call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        guard let json else { throw null("json") }
        let document = ReengagementsDocument()
        let status = try engine.perform(document, readsClock: false, key)
        json.pointee = cText(document.json)
        return status
    }
}

@_cdecl("skan_explain_reengagement")
@implementation
public func skan_explain_reengagement(
    _ engine: OpaquePointer?, _ installID: TextIn, _ number: UInt32, _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    json?.pointee = nil
    return call(error) { () throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        let explanation = try ReengagementExplanation(number: number)
        guard let json else { throw null("json") }
        let status = try engine.perform(explanation, key)
        if status == .ok { json.pointee = cText(explanation.json) }
        return status
    }
}
