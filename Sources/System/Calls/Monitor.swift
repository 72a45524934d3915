internal import CSKANSystem

/// A mutex, and a condition variable that signals changes of what the mutex guards. Both have fixed addresses.
package final class Monitor: @unchecked Sendable {
    private struct Locks {
        var mutex = pthread_mutex_t()
        var changed = pthread_cond_t()
    }

    private let locks = UnsafeMutablePointer<Locks>.allocate(capacity: 1)

    package init() {
        locks.initialize(to: Locks())
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_mutex_init(&locks.pointee.mutex, nil)
        pthread_cond_init(&locks.pointee.changed, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }

    deinit {
        pthread_cond_destroy(&locks.pointee.changed)
        pthread_mutex_destroy(&locks.pointee.mutex)
        locks.deallocate()
    }

    package func take() { pthread_mutex_lock(&locks.pointee.mutex) }

    package func give() { pthread_mutex_unlock(&locks.pointee.mutex) }

    @inline(__always)
    package func hold<Result>(_ body: () -> Result) -> Result {
        take()
        defer { give() }
        return body()
    }

    package func signal() { pthread_cond_signal(&locks.pointee.changed) }

    package func broadcast() { pthread_cond_broadcast(&locks.pointee.changed) }

    package func wait() { pthread_cond_wait(&locks.pointee.changed, &locks.pointee.mutex) }

    /// Waits like `wait()`, but at most until a time on the clock of `millisecondsNow`. Returns false if no signal came
    /// by then.
    package func wait(until milliseconds: Int64) -> Bool {
        var end = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
        return pthread_cond_timedwait(&locks.pointee.changed, &locks.pointee.mutex, &end) == 0
    }
}
