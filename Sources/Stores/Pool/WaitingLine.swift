internal import CSKANSystem

/// A caller that waits for a place in a pool. The waiter lies on the caller's stack while it is in the line.
struct Waiter {
    let ticket: UInt64
    let writes: Bool
    /// The time after which no other caller may overtake this one, on the clock of `millisecondsNow`.
    let overdue: Int64
    /// Signalled when the caller has a place, or should look for one.
    var wake = pthread_cond_t()
    var isWoken = false
    var hasPlace = false
    fileprivate var before: UnsafeMutablePointer<Waiter>?
    fileprivate var behind: UnsafeMutablePointer<Waiter>?

    init(ticket: UInt64, writes: Bool, overdue: Int64) {
        self.ticket = ticket
        self.writes = writes
        self.overdue = overdue
    }
}

/// The waiting callers, in the order in which they came.
struct WaitingLine {
    private(set) var first: UnsafeMutablePointer<Waiter>?
    private var last: UnsafeMutablePointer<Waiter>?

    mutating func append(_ waiter: UnsafeMutablePointer<Waiter>) {
        waiter.pointee.before = last
        if let last { last.pointee.behind = waiter } else { first = waiter }
        last = waiter
    }

    mutating func remove(_ waiter: UnsafeMutablePointer<Waiter>) {
        let (before, behind) = (waiter.pointee.before, waiter.pointee.behind)
        if let before { before.pointee.behind = behind } else { first = behind }
        if let behind { behind.pointee.before = before } else { last = before }
    }
}
