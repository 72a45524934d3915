internal import SKANSystem

/// Reads the configuration again on request, on its own thread, so that a file that hangs holds up nothing else.
/// Thread-safe.
final class ConfigurationReload: @unchecked Sendable {
    private let read: () -> Void
    private let monitor = Monitor()
    private var isWanted = false
    private var isStopped = false
    private var thread: SystemThread?

    init(_ read: @escaping () -> Void) { self.read = read }

    /// Returns false if no thread can be started. Once it is started, `stop` must be called.
    func start() -> Bool {
        thread = SystemThread {
            while self.waits() { self.read() }
        }
        return thread != nil
    }

    /// Requests another reading of the configuration, after the one under way.
    func want() {
        monitor.hold {
            isWanted = true
            monitor.signal()
        }
    }

    /// Stops the thread and waits for its end.
    func stop() {
        monitor.hold {
            isStopped = true
            monitor.signal()
        }
        thread?.join()
    }

    /// Waits for a request; false once stopped.
    private func waits() -> Bool {
        monitor.hold {
            while !isWanted && !isStopped { monitor.wait() }
            isWanted = false
            return !isStopped
        }
    }
}
