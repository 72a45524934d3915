import CSKAN
import SKANCore
import SKANEngine
import SKANFace

// skan_create and skan_destroy.

@_cdecl("skan_create")
@implementation
public func skan_create(
    _ options: UnsafePointer<skan_options>?, _ out: ObjectOut, _ error: ErrorOut
) -> skan_status {
    out?.pointee = nil
    return call(error) { () throws(Failure) in
        // If a struct has an illegal size, the caller keeps its hooks. Once the sizes are checked, the engine owns the
        // hooks, and finalizes them even if it cannot be created.
        guard let given = options else { throw null("options") }
        let options = try SizedStruct("options", skan_options()).read(given)
        let hooks = try checkedHooks(options)
        do throws(Failure) {
            guard let out else { throw null("out") }
            let object = try makeEngine(options, hooks)
            out.pointee = OpaquePointer(object)
            return .ok
        } catch {
            hooks.finalize()
            throw error
        }
    }
}

@_cdecl("skan_destroy")
@implementation
public func skan_destroy(_ engine: OpaquePointer?) {
    guard let engine = Engine(engine) else { return }
    engine.pointee.destroy()
    engine.deinitialize(count: 1)
    engine.deallocate()
}

/// Reads a caller's skan_store. The struct of an older caller can end before load_many, save_many, list,
/// list_with_prefix and keeps_stack.
private var storeStruct: SizedStruct<skan_store> { SizedStruct("store", skan_store(), optional: 5 * wordBytes) }

private func checkedHooks(_ options: skan_options) throws(Failure) -> EngineHooks {
    var hooks = EngineHooks()
    if options.store != nil { hooks.store = try storeStruct.read(options.store) }
    if options.clock != nil { hooks.clock = try SizedStruct("clock", skan_clock()).read(options.clock) }
    if options.transport != nil {
        hooks.transport = try SizedStruct("transport", skan_transport()).read(options.transport)
    }
    return hooks
}

private func makeEngine(_ options: skan_options, _ hooks: EngineHooks) throws(Failure) -> Engine {
    if let store = hooks.store {
        if store.load == nil { throw null("store.load") }
        if store.save == nil { throw null("store.save") }
        if store.remove == nil { throw null("store.remove") }
    }
    if let clock = hooks.clock, clock.now == nil { throw null("clock.now") }
    if let transport = hooks.transport, transport.get == nil { throw null("transport.get") }
    let protocolVersion = try protocolVersion(options.protocol)
    let target = try RequestTarget(
        protocolVersion, endpoint: bytes(options.endpoint_url, limit: Limits.endpointBytes),
        sdkKey: bytes(options.sdk_key, limit: Limits.textBytes),
        bundleID: bytes(options.bundle_id, limit: Limits.textBytes),
        appVersion: bytes(options.app_version, limit: Limits.textBytes))
    let models = try engineModels(options, protocolVersion)
    let settings = EngineSettings(
        protocolVersion, target, models, hasTransport: hooks.transport != nil,
        try reengagementSettings(options, protocolVersion))
    try settings.checkSources()
    let engine = Engine.allocate(capacity: 1)
    engine.initialize(to: EngineObject(settings, hooks, switchesStacks: options.switches_stacks))
    return engine
}

private func protocolVersion(_ number: UInt32) throws(Failure) -> ProtocolVersion {
    switch number {
    case 0, 4: return .skan4
    case 3: return .skan3
    default: throw Failure(.invalidArgument, "protocol: expected 4 (or 0) or 3, got \(number)")
    }
}
