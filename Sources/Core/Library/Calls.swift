import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine
import SKANFace

// Shared parts of all functions on an install: error objects, and the checks of the engine and the install id.

/// Runs a call and turns its result into a status and an error object.
@inline(__always)
func call(
    _ error: ErrorOut, _ body: () throws(Failure) -> Status
) -> skan_status {
    error?.pointee = nil
    do throws(Failure) {
        return try body().rawValue
    } catch let failure {
        error?.pointee = makeError(failure)
        return failure.status.rawValue
    }
}

/// Runs a call whose result is a text. Sets `out` to NULL first. `name` is the name of that parameter, for error
/// messages.
@inline(__always)
func textCall(
    _ out: TextOut, _ error: ErrorOut, named name: StaticString = "json",
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) throws(Failure) -> Status
) -> skan_status {
    out?.pointee = nil
    return call(error) { () throws(Failure) in
        guard let out else { throw null(name) }
        return try body(out)
    }
}

/// The returned key is followed by a NUL.
@inline(__always)
func checked(
    _ engine: OpaquePointer?, _ installID: UnsafePointer<CChar>?
) throws(Failure) -> (engine: Engine, key: UnsafeRawBufferPointer) {
    guard let engine = Engine(engine) else { throw null("engine") }
    return (engine, try checkedKey(installID))
}

@inline(__always)
func checkedKey(
    _ installID: UnsafePointer<CChar>?, _ name: StaticString = "install_id"
) throws(Failure) -> UnsafeRawBufferPointer {
    guard let bytes = bytes(installID, limit: Limits.installIDBytes) else { throw null(name) }
    try Arguments.checkInstallID(bytes, name)
    return bytes
}

extension Engine {
    /// Throws MISUSE if the call was made from a hook of the same engine. Functions check their arguments before they
    /// call this.
    @inline(__always)
    func checkNotInHook() throws(Failure) {
        if isInHook { throw Failure(.misuse, "engine: called from one of its own hooks on the same thread") }
    }

    /// Carries out a call on an install, in the steps of `InstallCall`.
    @inline(__always)
    func perform<Call: InstallCall>(_ call: Call, _ key: UnsafeRawBufferPointer) throws(Failure) -> Call.Answer {
        var call = call
        try checkNotInHook()
        try call.check(pointee.settings)
        while true {
            var rule = try call.rule(pointee.settings, call.asksClock(pointee.settings) ? try now() : 0)
            var state = InstallState(pointee.settings.protocolVersion)
            let status = try perform(&state, key, &rule)
            guard let url = try call.request(pointee.settings, status, rule, state) else {
                return try call.answer(pointee.settings, status, rule, state)
            }
            try get(url).withBytes { body throws(Failure) in try call.received(body, pointee.settings) }
        }
    }

    /// Runs a rule on the record with this key, in whichever store the engine has.
    @inline(__always)
    func perform<R: Rule>(
        _ state: inout InstallState, _ key: UnsafeRawBufferPointer, _ rule: inout R
    ) throws(Failure) -> Status {
        switch pointee.store {
        case .memory(let memory): return try memory.perform(&state, key, &rule)
        case .hooks(let store): return try drive(&state, key, &rule, store)
        }
    }

    @inline(never)
    private func drive<R: Rule>(
        _ state: inout InstallState, _ key: UnsafeRawBufferPointer, _ rule: inout R, _ store: skan_store
    ) throws(Failure) -> Status {
        var ownRule = rule
        defer { rule = ownRule }
        let change = SingleInstall(key, pointee.settings.protocolVersion) { state throws(Failure) in
            try ownRule.run(on: &state)
        }
        return try drive(change, store, &state, mayChange: R.mayChange)
    }

    @inline(never)
    private func drive(
        _ change: SingleInstall, _ store: skan_store, _ state: inout InstallState, mayChange: Bool
    ) throws(Failure) -> Status {
        HookStore(self, store).perform(change, mayChange: mayChange)
        state = change.state
        return try change.end()
    }
}

/// An out parameter for an update. The initializer sets it to zero, except its size.
struct UpdateOut {
    private let pointer: UnsafeMutablePointer<skan_update>?

    @inline(__always)
    init(_ pointer: UnsafeMutablePointer<skan_update>?) throws(Failure) {
        self.pointer = pointer
        if let pointer { try SizedStruct("out", skan_update()).clear(pointer) }
    }

    /// Writes the update, if the answer has one, and returns the call's status.
    @inline(__always)
    func take(_ answer: UpdateAnswer) -> Status { take(answer.status, answer.update) }

    @inline(__always)
    func take(_ status: Status, _ update: ValueUpdate?) -> Status {
        if status == .ok { set(update) }
        return status
    }

    @inline(__always)
    private func set(_ update: ValueUpdate?) {
        guard let pointer, let update else { return }
        pointer.pointee.id = update.id
        pointer.pointee.window = Int32(update.window.rawValue)
        pointer.pointee.fine_value = update.fine.map { Int32($0) } ?? -1
        pointer.pointee.coarse_value = update.coarse.map { Int32($0) } ?? -1
        pointer.pointee.lock_window = update.locksWindow
        pointer.pointee.timestamp = update.timestamp
    }
}

/// NULL means an unknown device.
func device(_ pointer: UnsafePointer<skan_device>?) throws(Failure) -> Device {
    guard let pointer else { return Device() }
    let device = try SizedStruct("device", skan_device()).read(pointer)
    return try Device(
        osVersion: bytes(device.os_version, limit: Limits.textBytes), idfv: bytes(device.idfv, limit: Limits.textBytes),
        idfa: bytes(device.idfa, limit: Limits.textBytes))
}
