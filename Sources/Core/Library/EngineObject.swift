import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine

/// What a `skan *` points to. Nothing in it changes but the tickets and what the in-memory store holds.
struct EngineObject: ~Copyable {
    let protocolVersion: ProtocolVersion
    let target: RequestTarget
    let tickets = Tickets()
    let store: EngineStore
    let clock: skan_clock?
    let transport: skan_transport?
    /// The first one is for new installs.
    let models: [ConversionModel]
    /// Whether a thread that is in a hook may be on another stack, which knows nothing of the hook.
    let switchesStacks: Bool

    init(
        _ protocolVersion: ProtocolVersion, _ target: RequestTarget, _ hooks: EngineHooks, _ models: [ConversionModel],
        switchesStacks: Bool
    ) {
        self.protocolVersion = protocolVersion
        self.target = target
        store = hooks.store.map { .hooks($0) } ?? .memory(MemoryRecords())
        clock = hooks.clock
        transport = hooks.transport
        self.models = models
        self.switchesStacks = switchesStacks
    }

    /// Gives up what it holds, at the end of an engine.
    func destroy() {
        let hooks: EngineHooks
        switch store {
        case .memory(let memory):
            memory.destroy()
            hooks = EngineHooks(store: nil, clock: clock, transport: transport)
        case .hooks(let store):
            hooks = EngineHooks(store: store, clock: clock, transport: transport)
        }
        hooks.finalize()
    }
}

typealias Engine = UnsafeMutablePointer<EngineObject>

/// The store of an engine's installs.
enum EngineStore {
    case memory(MemoryRecords)
    case hooks(skan_store)
}

/// What a host gave to an engine.
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
    /// Runs a hook of this engine: meanwhile the thread may not call back into the engine.
    @inline(__always)
    func inHook<Result>(_ hook: () -> Result) -> Result {
        guard !pointee.switchesStacks else { return hook() }
        let noted = support_enter_hook(self)
        defer { support_leave_hook(noted) }
        return hook()
    }

    /// Whether this thread is in a hook of this engine, which is not known where hooks switch stacks.
    var isInHook: Bool { support_is_in_hook(self) }

    /// Microseconds since 1970.
    func now() throws(Failure) -> Int64 {
        guard let clock = pointee.clock, let hook = clock.now else {
            let now = support_now()
            guard now >= 0 else { throw Failure(.clock, "clock: the system's clock failed") }
            return now
        }
        let now = inHook { hook(clock.context) }
        try checkTime(now)
        return now
    }
}
