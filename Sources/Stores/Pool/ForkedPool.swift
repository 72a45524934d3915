internal import CSKANSystem
internal import SKANSystem

/// The part of a pool that makes it safe to fork, for any kind of connection.
///
/// After a fork, the child must neither use nor close its parent's connections: both processes would talk on the same
/// socket, and a proper close would tell the server that the parent has gone. With SQLite it is worse, because SQLite
/// keeps its knowledge of a process's file locks in that process's memory, which the child inherits without the locks.
/// So the pool closes its connections before the fork, and both processes open new ones.
package class ForkedPool: ForkMember {
    private let locks = UnsafeMutablePointer<Locks>.allocate(capacity: 1)
    private var turns: Turns

    private struct Locks {
        var mutex = pthread_mutex_t()
        /// Signalled when a fork waits and no connection is lent any more.
        var isQuiet = pthread_cond_t()
    }

    /// Creates a pool whose first place is taken by the call that opens it, so that a fork waits for that call.
    init(limit: UInt32) {
        turns = Turns(limit: limit)
        _ = turns.take(writes: false, at: millisecondsNow)
        locks.initialize(to: Locks())
        pthread_mutex_init(&locks.pointee.mutex, nil)
        pthread_cond_init(&locks.pointee.isQuiet, nil)
        Forks.tell(self)
    }

    deinit {
        pthread_cond_destroy(&locks.pointee.isQuiet)
        pthread_mutex_destroy(&locks.pointee.mutex)
        locks.deallocate()
    }

    // MARK: Places

    /// Takes a place for a connection, and runs `body` before another thread can use the pool. Returns false if no
    /// place was free before `deadline`.
    @inline(__always)
    final func takePlace(writes: Bool, until deadline: Int64, _ body: () -> Void) -> Bool {
        pthread_mutex_lock(&locks.pointee.mutex)
        defer { pthread_mutex_unlock(&locks.pointee.mutex) }
        guard turns.take(writes: writes, at: millisecondsNow) || waitForPlace(writes, until: deadline) else {
            return false
        }
        body()
        return true
    }

    /// Runs `body`, then gives a place back.
    @inline(__always)
    final func giveBackPlace(writes: Bool, _ body: () -> Void) {
        pthread_mutex_lock(&locks.pointee.mutex)
        defer { pthread_mutex_unlock(&locks.pointee.mutex) }
        body()
        turns.giveBack(writes: writes)
        wakeNext()
    }

    /// Reserves one more place for a connection that the pool has closed but that may still be busy at its server. If
    /// `sparesLast` is true and this would be the last place, returns nil instead.
    final func hold(sparesLast: Bool) -> HeldPlace? {
        pthread_mutex_lock(&locks.pointee.mutex)
        defer { pthread_mutex_unlock(&locks.pointee.mutex) }
        if sparesLast && turns.held + 1 >= turns.limit { return nil }
        turns.held += 1
        return HeldPlace(self)
    }

    fileprivate final func freeHeld() {
        pthread_mutex_lock(&locks.pointee.mutex)
        turns.held -= 1
        wakeNext()
        pthread_mutex_unlock(&locks.pointee.mutex)
    }

    /// The number of places that are reserved by `hold` now.
    final var held: UInt32 {
        pthread_mutex_lock(&locks.pointee.mutex)
        defer { pthread_mutex_unlock(&locks.pointee.mutex) }
        return turns.held
    }

    /// Wakes the threads whose turn it is, or a waiting fork. Must be called with the mutex locked.
    private func wakeNext() {
        while let next = turns.next(at: millisecondsNow) { pthread_cond_signal(&next.pointee.wake) }
        if turns.isForking && turns.lent == 0 { pthread_cond_signal(&locks.pointee.isQuiet) }
    }

    /// Waits in line for a place until `deadline`. Returns whether the caller got one. Must be called with the mutex
    /// locked.
    private func waitForPlace(_ writes: Bool, until deadline: Int64) -> Bool {
        var end = timespec(tv_sec: Int(deadline / 1000), tv_nsec: Int(deadline % 1000) * 1_000_000)
        return withUnsafeTemporaryAllocation(of: Waiter.self, capacity: 1) { room in
            guard let waiter = room.baseAddress else { return false }
            waiter.initialize(to: turns.newWaiter(writes: writes, at: millisecondsNow()))
            initializeCondition(&waiter.pointee.wake)
            turns.join(waiter)
            var isLate = false
            while !waiter.pointee.hasPlace && !turns.claim(waiter) && !isLate {
                isLate = pthread_cond_timedwait(&waiter.pointee.wake, &locks.pointee.mutex, &end) == ETIMEDOUT
            }
            let hasPlace = waiter.pointee.hasPlace
            if !hasPlace { turns.leave(waiter) }
            wakeNext()
            pthread_cond_destroy(&waiter.pointee.wake)
            waiter.deinitialize(count: 1)
            return hasPlace
        }
    }

    /// Initializes a condition whose time-outs use the clock of `millisecondsNow`.
    private func initializeCondition(_ condition: UnsafeMutablePointer<pthread_cond_t>) {
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }

    // MARK: Forks and the end

    /// All connections must have been given back.
    package final func close() { Forks.forget(self) { endIdle() } }

    /// Closes the connections that are not lent.
    func endIdle() {}

    package final func announceFork() {
        pthread_mutex_lock(&locks.pointee.mutex)
        turns.isForking = true
        pthread_mutex_unlock(&locks.pointee.mutex)
    }

    /// Waits until no connection is lent.
    package final func awaitQuiet() {
        pthread_mutex_lock(&locks.pointee.mutex)
        while turns.lent > 0 { pthread_cond_wait(&locks.pointee.isQuiet, &locks.pointee.mutex) }
        pthread_mutex_unlock(&locks.pointee.mutex)
    }

    package final func beforeFork() {
        pthread_mutex_lock(&locks.pointee.mutex)
        endIdle()
    }

    package final func afterFork(isChild: Bool) {
        if isChild {
            pthread_cond_init(&locks.pointee.isQuiet, nil)
            turns.forgetParent()
        }
        turns.isForking = false
        wakeNext()
        pthread_mutex_unlock(&locks.pointee.mutex)
    }
}

/// A place that is held for a connection that the pool has closed but that may still be busy at its server. The process
/// that took the place must free it exactly once.
package final class HeldPlace {
    private let pool: ForkedPool

    fileprivate init(_ pool: ForkedPool) { self.pool = pool }

    package func free() { pool.freeHeld() }
}
