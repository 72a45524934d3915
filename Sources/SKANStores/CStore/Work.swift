internal import Synchronization

/// A piece of work for a thread of the store.
final class Work: Sendable {
    private let work: @Sendable (_ isDone: Bool) -> Void

    /// `work` is called once: with true on a thread of the store, with false where there is none.
    init(_ work: @escaping @Sendable (_ isDone: Bool) -> Void) {
        self.work = work
    }

    /// For C, which gives it to `run`, or nobody does but to `giveUp`.
    func retained() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }

    static let run: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { return }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().work(true)
    }

    static func giveUp(_ context: UnsafeMutableRawPointer) {
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().work(false)
    }
}

/// Whether the task that waits was cancelled.
final class Cancellation: Sendable {
    private let flag = Atomic(false)

    var hasCome: Bool { flag.load(ordering: .relaxed) }

    func come() { flag.store(true, ordering: .relaxed) }
}
