/// The places of a pool, and the order in which callers get them. Must be used with the pool's mutex locked.
///
/// Once the first waiting caller has waited for `patience`, the next free place belongs to it: with N callers on C
/// connections no caller waits for much more than N / C calls. Before that, a caller that arrives later may take a free
/// place; otherwise the place would stay unused until the system has scheduled the waiting thread.
///
/// A writer that must wait for another writer does not hold up the readers behind it.
struct Turns {
    /// After this wait, in milliseconds, the next free place belongs to the first waiting caller.
    static var patience: Int64 { 4 }

    let limit: UInt32
    /// The number of places that callers have, including those that were given to callers which have not yet woken up.
    private(set) var lent: UInt32 = 0
    /// The number of places of connections that were closed but may still be busy at their server.
    var held: UInt32 = 0
    private(set) var hasWriter = false
    /// Whether the process is about to fork; until it has forked, no caller gets a place.
    var isForking = false
    private var readers = WaitingLine()
    private var writers = WaitingLine()
    private var tickets: UInt64 = 0

    init(limit: UInt32) { self.limit = limit }

    private func isFree(_ writes: Bool) -> Bool { lent + held < limit && !isForking && !(writes && hasWriter) }

    private mutating func give(_ writes: Bool) {
        lent += 1
        if writes { hasWriter = true }
    }

    /// Takes a place, if one is free and no waiting caller is overdue. Returns whether it took one. Calls `now` only if
    /// a caller waits.
    mutating func take(writes: Bool, at now: () -> Int64) -> Bool {
        guard isFree(writes) else { return false }
        if let first = firstInTurn, first.pointee.overdue <= now() { return false }
        give(writes)
        return true
    }

    mutating func giveBack(writes: Bool) {
        lent -= 1
        if writes { hasWriter = false }
    }

    // MARK: Waiting

    /// Returns a waiter for a caller that is about to join the line.
    mutating func newWaiter(writes: Bool, at now: Int64) -> Waiter {
        tickets += 1
        return Waiter(ticket: tickets, writes: writes, overdue: now + Turns.patience)
    }

    mutating func join(_ waiter: UnsafeMutablePointer<Waiter>) {
        if waiter.pointee.writes { writers.append(waiter) } else { readers.append(waiter) }
    }

    mutating func leave(_ waiter: UnsafeMutablePointer<Waiter>) {
        if waiter.pointee.writes { writers.remove(waiter) } else { readers.remove(waiter) }
    }

    /// Gives a waiter a place and takes the waiter out of the line, if a place is free and it is the waiter's turn.
    /// Returns whether the waiter got a place.
    mutating func claim(_ waiter: UnsafeMutablePointer<Waiter>) -> Bool {
        guard firstInTurn == waiter else {
            waiter.pointee.isWoken = false
            return false
        }
        leave(waiter)
        give(waiter.pointee.writes)
        waiter.pointee.hasPlace = true
        return true
    }

    /// Returns the next caller to wake, or nil if there is none. An overdue caller already has its place; any other
    /// caller must check whether a place is still free. Whenever a place may have become free or the first waiter has
    /// left, call this until it returns nil.
    mutating func next(at now: () -> Int64) -> UnsafeMutablePointer<Waiter>? {
        guard let first = firstInTurn else { return nil }
        if first.pointee.overdue <= now() { return claim(first) ? first : nil }
        if first.pointee.isWoken { return nil }
        first.pointee.isWoken = true
        return first
    }

    /// The first waiter for whom a place is free.
    private var firstInTurn: UnsafeMutablePointer<Waiter>? {
        let reader = isFree(false) ? readers.first : nil
        let writer = isFree(true) ? writers.first : nil
        guard let reader, let writer else { return reader ?? writer }
        return reader.pointee.ticket < writer.pointee.ticket ? reader : writer
    }

    /// Forgets the held places and the waiting threads in the child of a fork, because they belong to the parent.
    mutating func forgetParent() {
        held = 0
        readers = WaitingLine()
        writers = WaitingLine()
    }
}
