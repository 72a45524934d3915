internal import CSKANSystem
internal import SKANSystem

/// A thread that does the same again and again, with a pause between, until it is stopped.
final class RepeatingThread: @unchecked Sendable {
    private let pause: Int
    private let body: () -> Void
    private let lock = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
    private var isStopped = false
    private var thread = pthread_t()

    private struct Lock {
        var mutex = pthread_mutex_t()
        var stop = pthread_cond_t()
    }

    init(everyMilliseconds pause: Int, _ body: @escaping () -> Void) {
        self.pause = pause
        self.body = body
        lock.initialize(to: Lock())
        pthread_mutex_init(&lock.pointee.mutex, nil)
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_cond_init(&lock.pointee.stop, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }

    deinit {
        pthread_cond_destroy(&lock.pointee.stop)
        pthread_mutex_destroy(&lock.pointee.mutex)
        lock.deallocate()
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
        pthread_mutex_lock(&lock.pointee.mutex)
        isStopped = true
        pthread_cond_signal(&lock.pointee.stop)
        pthread_mutex_unlock(&lock.pointee.mutex)
        pthread_join(thread, nil)
    }

    private func goOn() {
        while waits() { body() }
    }

    /// False once it is stopped.
    private func waits() -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + pause * 1_000_000
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(&lock.pointee.mutex)
        defer { pthread_mutex_unlock(&lock.pointee.mutex) }
        while !isStopped {
            if pthread_cond_timedwait(&lock.pointee.stop, &lock.pointee.mutex, &end) == ETIMEDOUT { break }
        }
        return !isStopped
    }
}
