import Synchronization

/// The progress of a server that is stopping.
final class ServerDraining: Sendable {
    private let begun = Atomic<Bool>(false)
    private let ended = Atomic<Bool>(false)

    /// Whether the server is stopping. It then reports that it is not ready, so that balancers send no more requests.
    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    /// Whether everything under way has ended. The steps that remain, such as closing stores, change nothing.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    func begin() { begun.store(true, ordering: .relaxed) }

    func end() { ended.store(true, ordering: .releasing) }
}
