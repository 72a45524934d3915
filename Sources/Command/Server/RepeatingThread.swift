internal import CSKANSystem
internal import SKANSystem

/// A thread that does the same again and again, with a pause before each time, until it is stopped.
final class RepeatingThread: @unchecked Sendable {
    /// In milliseconds.
    private let pause: Int64
    private let body: () -> Void
    private let monitor = Monitor()
    private var isStopped = false
    private var thread = pthread_t()

    init(everyMilliseconds pause: Int64, _ body: @escaping () -> Void) {
        self.pause = pause
        self.body = body
    }

    /// False: no thread can be started. Once it is, `stop` has to be called.
    func start() -> Bool {
        let goOn: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<RepeatingThread>.fromOpaque(context).takeUnretainedValue().goOn() }
            return nil
        }
        return pthread_create(&thread, nil, goOn, Unmanaged.passUnretained(self).toOpaque()) == 0
    }

    /// Comes back when the thread has ended.
    func stop() {
        monitor.hold {
            isStopped = true
            monitor.signal()
        }
        pthread_join(thread, nil)
    }

    private func goOn() {
        while waits() { body() }
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
