import CSKAN
import SKANCore
import SKANFace

// The JSON check for companion libraries. skan.h describes it.

@_cdecl("skan_json_read")
@implementation
public func skan_json_read(
    _ json: UnsafeRawPointer?, _ length: Int, _ visit: skan_json_visit?, _ context: UnsafeMutableRawPointer?,
    _ error: ErrorOut
) -> skan_status {
    call(error) { () throws(Failure) in
        guard json != nil || length == 0 else { throw null("json") }
        guard let visit else { throw null("visit") }
        guard length >= 0, length <= Limits.responseBytes else {
            throw Failure(
                .limitExceeded, "json: \(UInt(bitPattern: length)) bytes, the limit is \(Limits.responseBytes)")
        }
        let document: JSONDocument
        do throws(JSONFault) {
            document = try JSONDocument(UnsafeRawBufferPointer(start: json, count: length))
        } catch {
            throw Failure(.malformedResponse, error.description)
        }
        for member in document.members {
            member.key.withExactUTF8 { key in
                guard let string = member.value.string else { return tell(visit, context, key, member.value) }
                string.withExactUTF8 { tell(visit, context, key, JSONValue(kind: .string, text: $0)) }
            }
        }
        return .ok
    }
}

private func tell(
    _ visit: skan_json_visit, _ context: UnsafeMutableRawPointer?, _ key: UnsafeRawBufferPointer, _ value: JSONValue
) {
    let kind =
        switch value.kind {
        case .null: SKAN_JSON_NULL
        case .false: SKAN_JSON_FALSE
        case .true: SKAN_JSON_TRUE
        case .number: SKAN_JSON_NUMBER
        case .string: SKAN_JSON_STRING
        case .array: SKAN_JSON_ARRAY
        case .object: SKAN_JSON_OBJECT
        }
    var member = skan_json_member(
        key: start(key), key_length: key.count, text: start(value.text), text_length: value.text.count,
        kind: Int32(bitPattern: kind.rawValue))
    visit(context, &member)
}

/// The start of a text; not NULL even if the text is empty.
private func start(_ text: UnsafeRawBufferPointer) -> UnsafePointer<CChar>? {
    let empty: StaticString = ""
    return (text.baseAddress ?? UnsafeRawPointer(empty.utf8Start)).assumingMemoryBound(to: CChar.self)
}
