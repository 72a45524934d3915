import Synchronization

/// How far a server that is to end has come.
final class ServerDraining: Sendable {
    private let begun = Atomic<Bool>(false)
    private let ended = Atomic<Bool>(false)

    /// Whether the server is to end, so that whoever asks for its readiness sends no more requests.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// Whether all that was under way has ended. What is left then, such as closing stores, changes nothing.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    func begin() { begun.store(true, ordering: .relaxed) }

    func end() { ended.store(true, ordering: .releasing) }
}
