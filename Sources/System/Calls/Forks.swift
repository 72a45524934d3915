internal import CSKANSystem

/// An object whose locks must be held while the process forks. A fork passes all members three times: no member holds a
/// lock while another one waits, because that wait may depend on the lock.
package protocol ForkMember: AnyObject {
    /// Announces a fork: nothing new begins before it is over. Does not wait.
    func announceFork()
    /// Waits until everything that had begun is over. Holds no lock afterwards.
    func awaitQuiet()
    /// Takes the object's locks before a fork. They are held only briefly.
    func beforeFork()
    /// Releases the locks after a fork, in the parent and in the child.
    func afterFork(isChild: Bool)
}

/// The members that are told of forks, one after the other. `tell` and `forget` wait for a fork that has begun, so
/// nothing that `awaitQuiet` waits for may call them.
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

    /// `last` is called before another fork can begin.
    package static func forget(_ member: any ForkMember, _ last: () -> Void = {}) {
        pthread_mutex_lock(&membersLock)
        members.removeAll { $0 === member }
        last()
        pthread_mutex_unlock(&membersLock)
    }
}

/// The lock that guards the members; it is also held during a fork.
private nonisolated(unsafe) var membersLock = pthread_mutex_t()
private nonisolated(unsafe) var members: [any ForkMember] = []
private nonisolated(unsafe) var once = pthread_once_t()
