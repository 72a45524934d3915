import CSKAN
import CSKANSystem
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostbackVerification
import SKANSystem

// The functions on keys, which postback.h describes.

@_cdecl("skan_postback_keys_create")
@implementation
public func skan_postback_keys_create(
    _ keys: UnsafePointer<skan_postback_key>?, _ count: Int, _ out: ObjectOut,
    _ error: ErrorOut
) -> skan_status {
    out?.pointee = nil
    return opening(error) { () throws(Failure) in
        guard let out else { throw null("out") }
        let keys = try givenKeys(keys, count)
        out.pointee = OpaquePointer(Unmanaged.passRetained(try PostbackKeySet(keys)).toOpaque())
    }
}

@_cdecl("skan_postback_keys_destroy")
@implementation
public func skan_postback_keys_destroy(_ keys: OpaquePointer?) {
    guard let keys else { return }
    Unmanaged<PostbackKeySet>.fromOpaque(UnsafeRawPointer(keys)).release()
}

/// NULL means Apple's keys.
func keySet(_ keys: OpaquePointer?) throws(Failure) -> PostbackKeySet {
    guard let keys else { return try .apple() }
    return Unmanaged<PostbackKeySet>.fromOpaque(UnsafeRawPointer(keys)).takeUnretainedValue()
}

@_optimize(size)
private func givenKeys(_ keys: UnsafePointer<skan_postback_key>?, _ count: Int) throws(Failure) -> [GivenKey] {
    guard count != 0 else { return [] }
    guard let keys else { throw null("keys") }
    // A count above Int.max arrives as a negative number.
    guard 1...PostbackKeySet.most ~= count else {
        throw Failure(
            .limitExceeded, "count: expected at most \(PostbackKeySet.most), got \(UInt(bitPattern: count))")
    }
    var given: [GivenKey] = []
    for key in UnsafeBufferPointer(start: keys, count: count) {
        given.append(
            GivenKey(
                name: bytes(key.name, upTo: GivenKey.nameBytes), spki: bytes(key.spki, upTo: GivenKey.spkiLetters),
                isDevelopment: key.is_development))
    }
    return given
}

/// Copies the bytes of a text; nil for NULL. At most `most` + 1 bytes are read, which shows that a text is too long.
func bytes(_ text: TextIn, upTo most: Int) -> [UInt8]? {
    text.map { [UInt8](Bytes(start: $0, count: strnlen($0, most + 1))) }
}
