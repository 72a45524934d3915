import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// The functions that hand calls to the app and take its results. skan.h describes them.

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
        let status = try engine.perform(listing, isForSKAN3: true, key)
        count.pointee = listing.calls.count
        // A room above Int.max arrives as a negative number.
        guard room < 0 || listing.calls.count <= room else {
            throw Failure(.limitExceeded, "room: expected \(listing.calls.count) for the calls that wait, got \(room)")
        }
        guard let out, let stride else { return status }
        let known = MemoryLayout<skan_call>.stride
        for (index, call) in listing.calls.enumerated() {
            var native = call.native
            native.size = stride
            let place = UnsafeMutableRawPointer(out) + index &* stride
            place.copyMemory(from: &native, byteCount: min(stride, known))
            if stride > known { (place + known).initializeMemory(as: UInt8.self, repeating: 0, count: stride &- known) }
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
        native.lock_window = locksWindow
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
    textCall(json, error) { json throws(Failure) in
        let (engine, key) = try checkedRarely(engine, installID)
        let system = try system(device)
        let listing = CallListing(system: system)
        let status = try engine.perform(listing, isForSKAN3: true, key)
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
        return try engine.perform(acknowledgement, isForSKAN3: true, key)
    }
}

/// Checks each of the results. Returns the size in bytes of one element of the array.
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
