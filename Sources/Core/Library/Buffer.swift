import CSKAN
import SKANCore

/// The object behind a `skan_buffer *`.
struct BufferObject: ~Copyable {
    var bytes = ByteBuffer(capacity: 512)
}

@_cdecl("skan_buffer_set")
@implementation
public func skan_buffer_set(_ buffer: OpaquePointer?, _ data: UnsafeRawPointer?, _ length: Int) -> skan_status {
    guard let buffer = UnsafeMutablePointer<BufferObject>(buffer), length >= 0, data != nil || length == 0 else {
        // A length above Int.max arrives as a negative number.
        return length < 0 ? Status.limitExceeded.rawValue : Status.invalidArgument.rawValue
    }
    guard length <= Limits.bufferBytes else { return Status.limitExceeded.rawValue }
    buffer.pointee.bytes.removeAll()
    buffer.pointee.bytes.append(UnsafeRawBufferPointer(start: data, count: length))
    return Status.ok.rawValue
}

@_cdecl("skan_buffer_create")
@implementation
public func skan_buffer_create() -> OpaquePointer? {
    let buffer = UnsafeMutablePointer<BufferObject>.allocate(capacity: 1)
    buffer.initialize(to: BufferObject())
    return OpaquePointer(buffer)
}

@_cdecl("skan_buffer_data")
@implementation
public func skan_buffer_data(_ buffer: OpaquePointer?) -> UnsafeRawPointer? {
    guard let buffer = UnsafeMutablePointer<BufferObject>(buffer) else { return nil }
    return UnsafeRawPointer(buffer.pointee.bytes.base)
}

@_cdecl("skan_buffer_size")
@implementation
public func skan_buffer_size(_ buffer: OpaquePointer?) -> Int {
    guard let buffer = UnsafeMutablePointer<BufferObject>(buffer) else { return 0 }
    return buffer.pointee.bytes.count
}

@_cdecl("skan_buffer_destroy")
@implementation
public func skan_buffer_destroy(_ buffer: OpaquePointer?) {
    guard let buffer = UnsafeMutablePointer<BufferObject>(buffer) else { return }
    buffer.deinitialize(count: 1)
    buffer.deallocate()
}
