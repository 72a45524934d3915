import CSKAN
import CSKANSupport
import SKANCore
import SKANFace

/// Creates a `skan_error`: its status (4 bytes), then the message with a NUL at its end.
func makeError(_ failure: Failure) -> OpaquePointer {
    let count = failure.message.utf8.count
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4 + count + 1, alignment: 4)
    memory.storeBytes(of: failure.status.rawValue, as: Int32.self)
    failure.message.utf8.withUnsafeBytes { message in
        guard let start = message.baseAddress else { return }
        (memory + 4).copyMemory(from: start, byteCount: count)
    }
    memory.storeBytes(of: 0, toByteOffset: 4 + count, as: UInt8.self)
    return OpaquePointer(memory)
}

@_cdecl("skan_error_create")
@implementation
public func skan_error_create(_ code: skan_status, _ message: TextIn) -> OpaquePointer? {
    let status = Status(rawValue: code)
    guard status.isError else { return nil }
    let text = bytes(message, limit: Limits.bufferBytes).map { [UInt8]($0) } ?? []
    return makeError(Failure(status, Message(utf8: text)))
}

@_cdecl("skan_error_code")
@implementation
public func skan_error_code(_ error: OpaquePointer?) -> skan_status {
    guard let error else { return Status.ok.rawValue }
    return UnsafeRawPointer(error).load(as: Int32.self)
}

@_cdecl("skan_error_message")
@implementation
public func skan_error_message(_ error: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let error else { return cString("") }
    return (UnsafeRawPointer(error) + 4).assumingMemoryBound(to: CChar.self)
}

@_cdecl("skan_error_free")
@implementation
public func skan_error_free(_ error: OpaquePointer?) {
    guard let error else { return }
    UnsafeMutableRawPointer(error).deallocate()
}

@_cdecl("skan_status_name")
@implementation
public func skan_status_name(_ status: skan_status) -> UnsafePointer<CChar>? {
    cString(Status(rawValue: status).name)
}

@_cdecl("skan_free")
@implementation
public func skan_free(_ memory: UnsafeMutableRawPointer?) {
    support_free(memory)
}

@_cdecl("skan_version")
@implementation
public func skan_version() -> UnsafePointer<CChar>? {
    cString(libraryVersion)
}

@_cdecl("skan_abi_version")
@implementation
public func skan_abi_version() -> UInt32 {
    UInt32(SKAN_ABI_VERSION)
}

private func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
