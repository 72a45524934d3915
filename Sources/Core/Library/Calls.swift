import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine

/// What all functions on an install have in common: errors as objects, the engine's and the install id's checks.

/// An install id: the host's text, and its bytes.
struct InstallKey {
    let text: UnsafePointer<CChar>
    let bytes: UnsafeRawBufferPointer
}

/// Runs a call and turns its end into a status and an error object.
@inline(__always)
func call(
    _ error: UnsafeMutablePointer<OpaquePointer?>?, _ body: () throws(Failure) -> Status
) -> skan_status {
    error?.pointee = nil
    do throws(Failure) {
        return try body().rawValue
    } catch let failure {
        error?.pointee = makeError(failure)
        return failure.status.rawValue
    }
}

/// The engine behind a pointer and the key of an install, both checked.
@inline(__always)
func checked(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?
) throws(Failure) -> (engine: Engine, key: InstallKey) {
    guard let engine = Engine(engine) else { throw null("engine") }
    return (engine, try checkedKey(installID))
}

@inline(__always)
func checkedKey(_ installID: UnsafePointer<CChar>?) throws(Failure) -> InstallKey {
    guard let installID, let bytes = bytes(installID, limit: Limits.installIDBytes) else { throw null("install_id") }
    try Arguments.checkInstallID(bytes)
    return InstallKey(text: installID, bytes: bytes)
}

/// MISUSE for a call out of a hook of the same engine. Comes after the arguments' checks.
@inline(__always)
func checkNotInHook(_ engine: Engine) throws(Failure) {
    if engine.isInHook {
        throw Failure(.misuse, "engine: called from one of its own hooks on the same thread")
    }
}

// MARK: Structs with a size

/// Reads a struct of a caller, which may be newer than this library: `size` comes first, an unknown tail must be zero.
func checkedStruct<Value>(_ pointer: UnsafePointer<Value>, _ name: StaticString) throws(Failure) -> Value {
    _ = try checkedSize(UnsafeRawPointer(pointer), MemoryLayout<Value>.stride, name)
    return pointer.pointee
}

/// Reads a struct that has grown by so many members, each as long as a pointer: one of an older caller may end before
/// any of them. Swift's imported structs are all zero where they are not set.
func checkedStruct<Value>(
    _ pointer: UnsafePointer<Value>, _ name: StaticString, grownBy members: Int, _ zero: Value
) throws(Failure) -> Value {
    let known = MemoryLayout<Value>.stride
    let size = try checkedSize(UnsafeRawPointer(pointer), known, grownBy: members, name)
    guard size < known else { return pointer.pointee }
    var value = zero
    withUnsafeMutableBytes(of: &value) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: size))
    }
    return value
}

/// The size of a struct that has grown by so many members, each as long as a pointer.
func checkedSize(
    _ pointer: UnsafeRawPointer, _ known: Int, grownBy members: Int, _ name: StaticString
) throws(Failure) -> Int {
    let member = MemoryLayout<UnsafeRawPointer>.size
    let size = pointer.load(as: Int.self)
    guard size < known else { return try checkedSize(pointer, known, name) }
    let first = known - members * member
    guard size >= first, size % member == 0 else {
        throw Failure(
            .invalidArgument,
            "\(name): expected size \(first) to \(known) (at most 1024), a multiple of \(member), got \(UInt(bitPattern: size))"
        )
    }
    return size
}

/// The size of a struct, as its first member says, whose unknown tail is zero.
func checkedSize(_ pointer: UnsafeRawPointer, _ known: Int, _ name: StaticString) throws(Failure) -> Int {
    let size = try legalSize(pointer, known, name)
    for offset in known..<size where pointer.load(fromByteOffset: offset, as: UInt8.self) != 0 {
        throw Failure(
            .invalidArgument, "\(name): this libskan knows \(known) bytes, byte \(offset) is not zero")
    }
    return size
}

/// The size of a struct, as its first member says.
private func legalSize(_ pointer: UnsafeRawPointer, _ known: Int, _ name: StaticString) throws(Failure) -> Int {
    let size = pointer.load(as: Int.self)
    guard size >= known, size <= 1024 else {
        throw Failure(
            .invalidArgument, "\(name): expected size \(known) (at most 1024), got \(UInt(bitPattern: size))")
    }
    return size
}

/// Makes an out struct all zero but its size.
func clearStruct<Value>(_ pointer: UnsafeMutablePointer<Value>, _ name: StaticString) throws(Failure) {
    let size = try legalSize(pointer, MemoryLayout<Value>.stride, name)
    let rest = UnsafeMutableRawPointer(pointer) + MemoryLayout<Int>.size
    rest.initializeMemory(as: UInt8.self, repeating: 0, count: size - MemoryLayout<Int>.size)
}

/// An out parameter for an update: all zero but its size, once this is made.
struct UpdateOut {
    private let pointer: UnsafeMutablePointer<skan_update>?

    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<skan_update>?) throws(Failure) {
        self.pointer = pointer
        if let pointer { try clearStruct(pointer, "out") }
    }

    @inline(__always)
    func set(_ update: ValueUpdate?) {
        guard let pointer, let update else { return }
        pointer.pointee.id = update.id
        pointer.pointee.window = Int32(update.window.rawValue)
        pointer.pointee.fine_value = update.fine.map { Int32($0) } ?? -1
        pointer.pointee.coarse_value = update.coarse.map { Int32($0) } ?? -1
        pointer.pointee.lock_window = update.locksWindow ? 1 : 0
        pointer.pointee.timestamp = update.timestamp
    }
}

/// The device of a request; NULL is one of which nothing is known.
func device(_ pointer: UnsafePointer<skan_device>?) throws(Failure) -> Device {
    guard let pointer else { return try Device(osVersion: nil, idfv: nil, idfa: nil) }
    let device = try checkedStruct(pointer, "device")
    return try Device(
        osVersion: bytes(device.os_version, limit: Limits.textBytes), idfv: bytes(device.idfv, limit: Limits.textBytes),
        idfa: bytes(device.idfa, limit: Limits.textBytes))
}
