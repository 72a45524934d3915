import SKANCore
import Synchronization

/// The thread that sweeps a store. It checks every second whether a sweep is due.
final class SweepThread: @unchecked Sendable {
    /// The name of the sweep's events in the log.
    private let name: StaticString
    private let log: ServerLog
    private let isStopped = Atomic<Bool>(false)
    private var thread: RepeatingThread?

    init(_ name: StaticString, _ log: ServerLog) {
        self.name = name
        self.log = log
    }

    /// Whether a sweep that is under way should end.
    var isStopping: Bool { isStopped.load(ordering: .relaxed) }

    /// Starts the thread, which `stop` ends. If no thread can be started, nothing is swept, and the log says so.
    func start(_ sweepWhereDue: @escaping () -> Void) {
        let thread = RepeatingThread(everyMilliseconds: 1000, sweepWhereDue)
        guard thread.start() else { return log.event(name, "cannot start a thread", .error) }
        self.thread = thread
    }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        thread?.stop()
        thread = nil
    }
}
