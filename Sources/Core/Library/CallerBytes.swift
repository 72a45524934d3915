import CSKANSupport
import SKANCore
import SKANFace

/// A C text of at most `limit` bytes; a longer one is more bytes, which are for a message alone.
@inline(__always)
func bytes(_ text: UnsafePointer<CChar>?, limit: Int) -> UnsafeRawBufferPointer? {
    guard let text else { return nil }
    let count = support_length(text, limit)
    return UnsafeRawBufferPointer(start: text, count: count <= limit ? count : messageLength(text, limit))
}

/// The length of a text that is longer than the limit, counted only as far as a message needs it.
@inline(never)
private func messageLength(_ text: UnsafePointer<CChar>, _ limit: Int) -> Int {
    support_length(text, max(limit, Message.countedBytes))
}

/// Bytes of a caller: not NULL unless there are none.
func body(_ start: UnsafeRawPointer?, _ length: Int, _ name: StaticString) throws(Failure) -> UnsafeRawBufferPointer {
    guard start != nil || length == 0 else { throw null(name) }
    guard length >= 0, length <= Limits.responseBytes else {
        throw Failure(
            .limitExceeded, "\(name): \(UInt(bitPattern: length)) bytes, the limit is \(Limits.responseBytes)")
    }
    return UnsafeRawBufferPointer(start: start, count: length)
}
