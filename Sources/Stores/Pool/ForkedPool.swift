internal import CSKANSystem

/// What forks know of a pool, whatever its connections are.
///
/// A child must neither use nor end a connection of its parent: both would talk on one socket, and a polite end tells
/// the server that the parent has gone. SQLite is worse: it keeps the locks of a process in tables of that process. So
/// connections end before the fork, and both processes begin anew.
package class ForkedPool {
    fileprivate var next: ForkedPool?
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
        pthread_once(&once) { pthread_atfork(beforeFork, afterFork, afterForkInChild) }
        pthread_mutex_lock(&listLock)
        next = list
        list = self
        pthread_mutex_unlock(&listLock)
    }

    deinit {
        pthread_cond_destroy(&locks.pointee.mayWrite)
        pthread_cond_destroy(&locks.pointee.mayTake)
        pthread_cond_destroy(&locks.pointee.isQuiet)
        pthread_mutex_destroy(&locks.pointee.mutex)
        locks.deallocate()
    }

    /// No connection may be lent.
    package final func close() {
        pthread_mutex_lock(&listLock)
        if list === self {
            list = next
        } else {
            var before = list
            while let pool = before, pool.next !== self { before = pool.next }
            before?.next = next
        }
        next = nil
        endIdle()
        pthread_mutex_unlock(&listLock)
    }

    /// Ends the connections that are not lent.
    func endIdle() {}

    fileprivate final func makeConditions() {
        var monotonic = pthread_condattr_t()
        pthread_condattr_init(&monotonic)
        pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC)
        pthread_cond_init(&locks.pointee.mayWrite, &monotonic)
        pthread_cond_init(&locks.pointee.mayTake, &monotonic)
        pthread_cond_init(&locks.pointee.isQuiet, &monotonic)
        pthread_condattr_destroy(&monotonic)
    }
}

/// Around the list, and in forks.
private nonisolated(unsafe) var listLock = pthread_mutex_t()
private nonisolated(unsafe) var list: ForkedPool?
private nonisolated(unsafe) var once = pthread_once_t()

private func beforeFork() {
    pthread_mutex_lock(&listLock)
    var each = list
    while let pool = each {
        pthread_mutex_lock(&pool.locks.pointee.mutex)
        pool.isForking = true
        while pool.lent > 0 { pthread_cond_wait(&pool.locks.pointee.isQuiet, &pool.locks.pointee.mutex) }
        pool.endIdle()
        each = pool.next
    }
}

private func afterFork() {
    var each = list
    while let pool = each {
        pool.isForking = false
        pthread_cond_broadcast(&pool.locks.pointee.mayTake)
        pthread_mutex_unlock(&pool.locks.pointee.mutex)
        each = pool.next
    }
    pthread_mutex_unlock(&listLock)
}

/// The threads that waited are the parent's.
private func afterForkInChild() {
    var each = list
    while let pool = each {
        pool.makeConditions()
        pool.hasWriter = false
        each = pool.next
    }
    afterFork()
}
