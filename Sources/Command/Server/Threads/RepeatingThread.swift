import SKANSystem

/// A thread that runs a task again and again, with a pause before each run, until it is stopped.
final class RepeatingThread: @unchecked Sendable {
    /// The pause in milliseconds; nil to run only when `want` is called.
    private let pause: Int64?
    private let body: () -> Void
    private let monitor = Monitor()
    private var isWanted = false
    private var isStopped = false
    private var thread: SystemThread?

    init(everyMilliseconds pause: Int64? = nil, _ body: @escaping () -> Void) {
        self.pause = pause
        self.body = body
    }

    /// The thread must be ended by `stop`. Returns false if no thread can be started.
    func start() -> Bool {
        thread = SystemThread {
            while self.waits() { self.body() }
        }
        return thread != nil
    }

    /// Has the task run at once or, if it is running, once more afterwards.
    func want() {
        monitor.hold {
            isWanted = true
            monitor.signal()
        }
    }

    /// Waits until the thread has ended.
    func stop() {
        monitor.hold {
            isStopped = true
            monitor.signal()
        }
        thread?.join()
    }

    /// Waits for the end of the pause or for `want`; returns false once stopped.
    private func waits() -> Bool {
        let end = pause.map { millisecondsNow() + $0 }
        return monitor.hold {
            while !isWanted && !isStopped {
                guard let end else {
                    monitor.wait()
                    continue
                }
                if !monitor.wait(until: end) { break }
            }
            isWanted = false
            return !isStopped
        }
    }
}
