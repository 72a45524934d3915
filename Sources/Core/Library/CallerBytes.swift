import CSKANSupport
import SKANCore
import SKANFace

/// The bytes of a C text; nil if the text is NULL. A text longer than `limit` can be cut, but the result stays longer
/// than `limit`; the caller then uses it only for an error message.
@inline(__always)
func bytes(_ text: UnsafePointer<CChar>?, limit: Int) -> UnsafeRawBufferPointer? {
    guard let text else { return nil }
    let count = support_length(text, limit)
    return UnsafeRawBufferPointer(start: text, count: count <= limit ? count : messageLength(text, limit))
}

/// The length of a text that is too long, counted only up to the length that an error message shows.
@inline(never)
private func messageLength(_ text: UnsafePointer<CChar>, _ limit: Int) -> Int {
    support_length(text, max(limit, Message.countedBytes))
}

/// Checks a pointer and a length from the caller: the pointer may be NULL only if the length is 0.
func body(_ start: UnsafeRawPointer?, _ length: Int, _ name: StaticString) throws(Failure) -> UnsafeRawBufferPointer {
    guard start != nil || length == 0 else { throw null(name) }
    guard length >= 0, length <= Limits.responseBytes else {
        throw Failure(
            .limitExceeded, "\(name): \(UInt(bitPattern: length)) bytes, the limit is \(Limits.responseBytes)")
    }
    return UnsafeRawBufferPointer(start: start, count: length)
}
