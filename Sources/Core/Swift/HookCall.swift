internal import SKANCore
internal import Synchronization

/// A hook that is running, as its task and the tasks it starts know of it.
final class HookCall: Sendable {
    @TaskLocal private static var innermost: HookCall?

    private let engine: ObjectIdentifier
    private let outer: HookCall?
    /// A task that outlives the hook that started it is not in the hook any more.
    private let isOver = Atomic(false)

    private init(of engine: Engine) {
        self.engine = ObjectIdentifier(engine)
        outer = HookCall.innermost
    }

    /// Runs a hook of an engine: meanwhile its task may not call back into the engine.
    static nonisolated(nonsending) func run<Result: Sendable>(
        of engine: Engine, _ hook: @Sendable () async throws -> Result
    ) async throws -> Result {
        let call = HookCall(of: engine)
        defer { call.isOver.store(true, ordering: .relaxed) }
        return try await $innermost.withValue(call, operation: hook)
    }

    /// Whether the current task is in a hook of an engine.
    static func isIn(_ engine: Engine) -> Bool {
        var call = innermost
        while let running = call {
            if running.engine == ObjectIdentifier(engine), !running.isOver.load(ordering: .relaxed) { return true }
            call = running.outer
        }
        return false
    }
}

extension Engine {
    /// MISUSE for a call out of a hook of the same engine. Comes after the arguments' checks.
    func checkNotInHook() throws {
        // Without hooks that wait, there is nothing to call back from.
        if case .memory = storage, transport == nil { return }
        if HookCall.isIn(self) {
            throw SKANError(.misuse, "engine: called from one of its own hooks in the same task")
        }
    }
}
