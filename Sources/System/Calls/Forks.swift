internal import CSKANSystem

/// An object whose locks must be held while the process forks.
package protocol ForkMember: AnyObject {
    /// Takes its locks before a fork.
    func beforeFork()
    /// Releases its locks after a fork, in the parent and in the child.
    func afterFork(isChild: Bool)
}

/// The members that are told of forks, one after the other.
package enum Forks {
    private static func end(isChild: Bool) {
        for member in members { member.afterFork(isChild: isChild) }
        pthread_mutex_unlock(&membersLock)
    }

    package static func tell(_ member: any ForkMember) {
        pthread_once(&once) {
            pthread_atfork(
                {
                    pthread_mutex_lock(&membersLock)
                    for member in members { member.beforeFork() }
                }, { Forks.end(isChild: false) }, { Forks.end(isChild: true) })
        }
        pthread_mutex_lock(&membersLock)
        members.append(member)
        pthread_mutex_unlock(&membersLock)
    }

    /// `last` is done before a fork may come.
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
