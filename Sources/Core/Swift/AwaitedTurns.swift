internal import SKANEngine
internal import Synchronization

/// Rules, "Turns": the turns of calls that wait without blocking a thread.
final class AwaitedTurns: Sendable {
    let turns = InstallTurns()
    /// Whether a task that ends overlong waits is running.
    private let isWatched = Atomic(false)

    /// Takes the turn of an install, and suspends the task until this call has it or has waited too long. If the task
    /// is cancelled while it waits, it gets no turn.
    nonisolated(nonsending) func take(_ key: UnsafeRawBufferPointer) async -> InstallTurn {
        let install = turns.install(key)
        if let turn = turns.takeIfFree(install) { return turn }
        let call = TurnWaiter(install, until: turns.deadline)
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                call.wake = { continuation.resume() }
                if turns.join(call) { watch() } else { continuation.resume() }
            }
        } onCancel: {
            if turns.leave(call) { call.wake() }
        }
        return call.turn
    }

    func end(_ turn: InstallTurn) { turns.end(turn) }

    private func watch() {
        guard !isWatched.exchange(true, ordering: .sequentiallyConsistent) else { return }
        Task.detached { [self] in
            repeat {
                try? await Task.sleep(for: .microseconds(InstallTurns.pause))
            } while turns.endWaits()
            isWatched.store(false, ordering: .sequentiallyConsistent)
            // A call that began to wait just before this still found `isWatched` set, and started no task.
            if turns.endWaits() { watch() }
        }
    }
}
