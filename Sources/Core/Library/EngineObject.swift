import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine
import SKANFace

/// The object behind a `skan_engine *`. It does not change, except for its tickets, update numbers and turns, and the
/// records of the in-memory store.
struct EngineObject: ~Copyable {
    let settings: EngineSettings
    let store: EngineStore
    let hooks: EngineHooks
    /// Whether hooks can switch the thread to another stack. Then calls from inside a hook cannot be recognized.
    let switchesStacks: Bool
    /// The turns of calls on the host's store; nil for the in-memory store, which needs none, and if the store's hooks
    /// can switch stacks. A call must not wait then, because the call that has the turn may need the thread that would
    /// be blocked.
    let turns: InstallTurns?

    init(_ settings: consuming EngineSettings, _ hooks: EngineHooks, switchesStacks: Bool) {
        self.settings = settings
        store = hooks.store.map { .hooks($0) } ?? .memory(MemoryRecords())
        self.hooks = hooks
        self.switchesStacks = switchesStacks
        turns = hooks.store.flatMap { switchesStacks && !$0.keeps_stack ? nil : InstallTurns() }
    }

    func destroy() {
        if case .memory(let memory) = store { memory.destroy() }
        hooks.finalize()
    }
}

typealias Engine = UnsafeMutablePointer<EngineObject>

enum EngineStore {
    case memory(MemoryRecords)
    case hooks(skan_store)
}

struct EngineHooks {
    var store: skan_store?
    var clock: skan_clock?
    var transport: skan_transport?

    func finalize() {
        if let store { store.finalize?(store.context) }
        if let clock { clock.finalize?(clock.context) }
        if let transport { transport.finalize?(transport.context) }
    }
}

extension Engine {
    /// Runs a hook of this engine. The thread that runs the hook must not call the engine before the hook returns.
    @inline(__always)
    func inHook<Result>(_ hook: () -> Result) -> Result {
        guard !pointee.switchesStacks else { return hook() }
        let noted = support_enter_hook(self)
        defer { support_leave_hook(noted) }
        return hook()
    }

    /// Whether this thread is in a hook of this engine. Always false if hooks switch stacks.
    var isInHook: Bool { support_is_in_hook(self) }

    /// Requests a URL of the endpoint through the host's transport, and returns the body of the response.
    @inline(never)
    func get(_ url: consuming ByteBuffer) throws(Failure) -> ByteBuffer {
        guard let transport = pointee.hooks.transport, let hook = transport.get else { throw null("transport.get") }
        let url = cText(url)
        defer { url.deallocate() }
        var buffer = BufferObject()
        let status = withUnsafeMutablePointer(to: &buffer) { buffer in
            inHook { hook(transport.context, url, OpaquePointer(buffer)) }
        }
        switch Status(rawValue: status) {
        case .ok:
            return buffer.bytes
        case .limitExceeded:
            throw Failure(.limitExceeded, "transport.get: the answer is longer than the transport accepts")
        case let status:
            throw Failure(
                status == .transportUnknown ? status : .transport,
                "transport.get: expected SKAN_OK, got \(status.name) (\(status.rawValue))")
        }
    }

    /// Microseconds since 1970.
    func now() throws(Failure) -> Int64 {
        guard let clock = pointee.hooks.clock, let hook = clock.now else {
            let now = support_now()
            guard now >= 0 else { throw Failure(.clock, "clock: the system's clock failed") }
            return now
        }
        let now = inHook { hook(clock.context) }
        try checkTime(now)
        return now
    }
}
