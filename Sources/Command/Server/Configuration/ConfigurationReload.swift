internal import SKANSystem

/// Reads the configuration again whenever it is asked to, on a thread of its own: a file that hangs holds up nothing
/// else. Any thread.
final class ConfigurationReload: @unchecked Sendable {
    private let read: () -> Void
    private let monitor = Monitor()
    private var isWanted = false
    private var isStopped = false
    private var thread: SystemThread?

    init(_ read: @escaping () -> Void) { self.read = read }

    /// False: no thread can be started. Once it is, `stop` has to be called.
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

    /// Comes back when the thread has ended.
    func stop() {
        monitor.hold {
            isStopped = true
            monitor.signal()
        }
        thread?.join()
    }

    /// False once it is stopped.
    private func waits() -> Bool {
        monitor.hold {
            while !isWanted && !isStopped { monitor.wait() }
            isWanted = false
            return !isStopped
        }
    }
}
