internal import SKANSystem

/// A thread that does the same again and again, with a pause before each time, until it is stopped.
final class RepeatingThread: @unchecked Sendable {
    /// The pause in milliseconds.
    private let pause: Int64
    private let body: () -> Void
    private let monitor = Monitor()
    private var isStopped = false
    private var thread: SystemThread?

    init(everyMilliseconds pause: Int64, _ body: @escaping () -> Void) {
        self.pause = pause
        self.body = body
    }

    /// False: no thread can be started. Once it is, `stop` has to be called.
    func start() -> Bool {
        thread = SystemThread {
            while self.waits() { self.body() }
        }
        return thread != nil
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
        let end = millisecondsNow() + pause
        return monitor.hold {
            while !isStopped {
                if !monitor.wait(until: end) { break }
            }
            return !isStopped
        }
    }
}
