internal import CSKANSystem

/// A mutex at a fixed address, because forks and threads refer to it by its address.
package final class Lock {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func take() { pthread_mutex_lock(mutex) }

    package func give() { pthread_mutex_unlock(mutex) }

    @inline(__always)
    package func hold<Result>(_ body: () -> Result) -> Result {
        take()
        defer { give() }
        return body()
    }
}
