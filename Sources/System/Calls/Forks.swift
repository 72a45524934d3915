internal import CSKANSystem

/// An object whose locks must be held while the process forks. A fork is first announced to all members. Then each
/// member waits until its work has ended, and only after that do all members take their locks. So no member holds a
/// lock while another member still waits for work that may need the lock.
package protocol ForkMember: AnyObject {
    /// From this call until the fork is over, the object begins nothing new. Does not wait.
    func announceFork()
    /// Waits until everything that the object had begun has ended. Holds no lock afterwards.
    func awaitQuiet()
    /// Takes the object's locks, which `afterFork` releases.
    func beforeFork()
    func afterFork(isChild: Bool)
}

/// The members that take part in forks. `tell` adds a member and `forget` removes it. Both wait while a fork is under
/// way, so the work that `awaitQuiet` waits for must not call them.
package enum Forks {
    private static func begin() {
        pthread_mutex_lock(&membersLock)
        for member in members { member.announceFork() }
        for member in members { member.awaitQuiet() }
        for member in members { member.beforeFork() }
    }

    private static func end(isChild: Bool) {
        for member in members { member.afterFork(isChild: isChild) }
        pthread_mutex_unlock(&membersLock)
    }

    package static func tell(_ member: any ForkMember) {
        pthread_once(&once) {
            pthread_atfork({ Forks.begin() }, { Forks.end(isChild: false) }, { Forks.end(isChild: true) })
        }
        pthread_mutex_lock(&membersLock)
        members.append(member)
        pthread_mutex_unlock(&membersLock)
    }

    /// Removes a member, then calls `last`; no fork can begin in between.
    package static func forget(_ member: any ForkMember, _ last: () -> Void = {}) {
        pthread_mutex_lock(&membersLock)
        members.removeAll { $0 === member }
        last()
        pthread_mutex_unlock(&membersLock)
    }
}

/// Held during a fork, too.
private nonisolated(unsafe) var membersLock = pthread_mutex_t()
private nonisolated(unsafe) var members: [any ForkMember] = []
private nonisolated(unsafe) var once = pthread_once_t()
