import CSKAN
import SKANCompanionLibrary
import SKANCore
import SKANFace
import SKANPostbackReceiving
import SKANPostbackVerification

private var recordStruct: SizedStruct<skan_postback_record> { SizedStruct("out", skan_postback_record()) }

@_cdecl("skan_postback_record_read")
@implementation
public func skan_postback_record_read(
    _ data: UnsafeRawPointer?, _ length: Int, _ out: UnsafeMutablePointer<skan_postback_record>?,
    _ postback: ObjectOut, _ error: ErrorOut
) -> skan_status {
    postback?.pointee = nil
    return opening(error) { () throws(Failure) in
        if let out { try recordStruct.clear(out) }
        guard let data, length >= 0 else { throw null("data") }
        let (record, body) = try PostbackRecord.read(UnsafeRawBufferPointer(start: data, count: length))
        let restored = VerifiedPostback(restoring: body, record.verdict)
        if let out { recordStruct.give(told(record, of: restored), to: out) }
        if let postback { postback.pointee = PostbackObject.make(restored) }
    }
}

@_optimize(size)
private func told(_ record: PostbackRecord, of postback: VerifiedPostback) -> skan_postback_record {
    var told = skan_postback_record()
    told.outcome = record.outcome.rawValue
    told.received = record.received
    if postback.conversion == .reengagement {
        told.reengaged_from = record.time.from
        told.reengaged_until = record.time.until
    } else {
        told.installed_from = record.time.from
        told.installed_until = record.time.until
    }
    told.decoding = record.decoding.rawValue
    if let model = record.model { put(model, in: &told.model) }
    record.network.withUnsafeBytes { put($0, in: &told.network) }
    return told
}

/// Writes a text into a zeroed array of characters in a C struct. The text is cut if there is no room for it and a NUL.
func put<Characters>(_ text: UnsafeRawBufferPointer, in characters: inout Characters) {
    withUnsafeMutableBytes(of: &characters) { room in
        guard room.count > 1 else { return }
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: text.prefix(room.count - 1)))
    }
}

/// Taking the text as a parameter keeps the buffer alive while its bytes are read.
func put<Characters>(_ text: borrowing ByteBuffer, in characters: inout Characters) {
    text.withBytes { put($0, in: &characters) }
}

/// Writes a digest as 64 hexadecimal digits.
func put<Characters>(_ digest: SHA256, in characters: inout Characters) {
    var text = ByteBuffer(capacity: 64)
    digest.write(to: &text)
    put(text, in: &characters)
}
