import Synchronization

/// Whether the server is to end, so that whoever asks for its readiness sends no more requests.
final class ServerDraining: Sendable {
    private let begun = Atomic<Bool>(false)

    var hasBegun: Bool { begun.load(ordering: .relaxed) }

    func begin() { begun.store(true, ordering: .relaxed) }
}
