import CSKAN
import SKANCore

/// What a `skan_buffer *` points to.
struct BufferObject: ~Copyable {
    var bytes = ByteBuffer(capacity: 512)
}

@_cdecl("skan_buffer_set")
@implementation
public func skan_buffer_set(_ buffer: OpaquePointer?, _ data: UnsafeRawPointer?, _ length: Int) -> skan_status {
    guard let buffer = UnsafeMutablePointer<BufferObject>(buffer), length >= 0, data != nil || length == 0 else {
        // A length above Int.max comes as a negative number.
        return length < 0 ? Status.limitExceeded.rawValue : Status.invalidArgument.rawValue
    }
    guard length <= Limits.bufferBytes else { return Status.limitExceeded.rawValue }
    buffer.pointee.bytes.removeAll()
    buffer.pointee.bytes.append(UnsafeRawBufferPointer(start: data, count: length))
    return Status.ok.rawValue
}
