internal import CSKANSystem
internal import SKANSystem

/// What forks know of a pool, whatever its connections are.
///
/// A child must neither use nor end a connection of its parent: both would talk on one socket, and a polite end tells
/// the server that the parent has gone. SQLite is worse: it keeps the locks of a process in tables of that process. So
/// connections end before the fork, and both processes begin anew.
package class ForkedPool: ForkMember {
    let locks = UnsafeMutablePointer<Locks>.allocate(capacity: 1)
    /// Connections, idle or lent. The first is lent to the call that opens the pool, so that a fork waits for it.
    var count: UInt32 = 1
    var lent: UInt32 = 1
    var hasWriter = false
    var isForking = false

    struct Locks {
        var mutex = pthread_mutex_t()
        /// The writer has gone.
        var mayWrite = pthread_cond_t()
        /// A connection has come back, a fork is over.
        var mayTake = pthread_cond_t()
        /// A fork waits, and no connection is lent any more.
        var isQuiet = pthread_cond_t()
    }

    init() {
        locks.initialize(to: Locks())
        pthread_mutex_init(&locks.pointee.mutex, nil)
        makeConditions()
        Forks.tell(self)
    }

    deinit {
        pthread_cond_destroy(&locks.pointee.mayWrite)
        pthread_cond_destroy(&locks.pointee.mayTake)
        pthread_cond_destroy(&locks.pointee.isQuiet)
        pthread_mutex_destroy(&locks.pointee.mutex)
        locks.deallocate()
    }

    /// No connection may be lent.
    package final func close() { Forks.forget(self) { endIdle() } }

    /// Ends the connections that are not lent.
    func endIdle() {}

    package final func beforeFork() {
        pthread_mutex_lock(&locks.pointee.mutex)
        isForking = true
        while lent > 0 { pthread_cond_wait(&locks.pointee.isQuiet, &locks.pointee.mutex) }
        endIdle()
    }

    package final func afterFork(isChild: Bool) {
        if isChild {
            // The threads that waited are the parent's.
            makeConditions()
            hasWriter = false
        }
        isForking = false
        pthread_cond_broadcast(&locks.pointee.mayTake)
        pthread_mutex_unlock(&locks.pointee.mutex)
    }

    private func makeConditions() {
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_cond_init(&locks.pointee.mayWrite, &monotonic)
        pthread_cond_init(&locks.pointee.mayTake, &monotonic)
        pthread_cond_init(&locks.pointee.isQuiet, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }
}
