import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// The function that reads a record without an engine. skan.h describes it.

@_cdecl("skan_record_read")
@implementation
public func skan_record_read(
    _ data: UnsafeRawPointer?, _ length: Int, _ out: UnsafeMutablePointer<skan_record>?,
    _ json: TextOut, _ error: ErrorOut
) -> skan_status {
    json?.pointee = nil
    return call(error) { () throws(Failure) in
        if let out { try SizedStruct("out", skan_record()).clear(out) }
        guard let data else { throw null("data") }
        // A length above Int.max arrives as a negative number.
        guard length >= 0 else {
            throw Failure(.corruptRecord, "record of \(UInt(bitPattern: length)) bytes: longer than any record")
        }
        // Reading the record replaces this protocol by the record's own.
        var state = InstallState(.skan4)
        try Record.read(UnsafeRawBufferPointer(start: data, count: length), isOwn: false, into: &state)
        if let json { json.pointee = try state.detailsText().start }
        if let out { set(out, state) }
        return .ok
    }
}

private func set(_ out: UnsafeMutablePointer<skan_record>, _ state: InstallState) {
    out.pointee.protocol = UInt32(state.conversion.protocolVersion.rawValue)
    out.pointee.closes_at = state.closesAt ?? 0
    guard let first = state.conversion.first, let last = state.conversion.last else { return }
    out.pointee.is_registered = true
    out.pointee.first_timestamp = first
    out.pointee.last_timestamp = last
}
