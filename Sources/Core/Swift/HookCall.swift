internal import SKANCore
internal import Synchronization

/// A running hook, which the hook's own task and the tasks that it starts can find in a task-local value.
final class HookCall: Sendable {
    @TaskLocal private static var innermost: HookCall?

    private let engine: ObjectIdentifier
    private let outer: HookCall?
    /// Whether the hook has ended. A task that outlives the hook that started it is no longer in the hook.
    private let isOver = Atomic(false)

    private init(of engine: Engine) {
        self.engine = ObjectIdentifier(engine)
        outer = HookCall.innermost
    }

    /// During the hook, its task must not call the engine.
    static nonisolated(nonsending) func run<Result: Sendable>(
        of engine: Engine, _ hook: @Sendable () async throws -> Result
    ) async throws -> Result {
        let call = HookCall(of: engine)
        defer { call.isOver.store(true, ordering: .relaxed) }
        return try await $innermost.withValue(call, operation: hook)
    }

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
    /// Throws MISUSE for a call from a hook of the same engine. Methods check their arguments before they call this.
    func checkNotInHook() throws {
        // An engine without asynchronous hooks cannot be called from one.
        if case .memory = storage, transport == nil { return }
        if HookCall.isIn(self) {
            throw SKANError(.misuse, "engine: called from one of its own hooks in the same task")
        }
    }
}
