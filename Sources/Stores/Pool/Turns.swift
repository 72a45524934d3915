/// The places of a pool, and whose turn it is to have one. The caller holds the pool's mutex.
///
/// A place that becomes free belongs to the caller that has waited the longest, once that has waited for `patience`:
/// with N callers on C connections none waits for much more than N / C calls. Until then a caller that comes meanwhile
/// may take the place. Short calls would otherwise wait for the system to run the next thread, each of them.
///
/// A writer that cannot have its turn, because there is another writer, does not hold up those that read.
struct Turns {
    /// The wait, in milliseconds, after which the next free place belongs to a caller.
    static var patience: Int64 { 4 }

    let limit: UInt32
    /// Places that callers have, or were given and are about to take.
    private(set) var lent: UInt32 = 0
    /// Places of connections whose callers have left and that may go on at their server.
    var held: UInt32 = 0
    private(set) var hasWriter = false
    /// Nobody is given a place while the process forks.
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

    /// Takes a place, if one is free and nobody is waiting for it or has waited for too long. `now` is asked where
    /// somebody waits.
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

    /// A caller that is to join the line.
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

    /// Gives a waiter a place, if there is one and it is its turn, and takes it out of the line.
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

    /// The caller that is to be woken: with its place where it is overdue, and else to see whether there still is one.
    /// To be asked until it answers nil, whenever a place may have become free or the first one has left.
    mutating func next(at now: () -> Int64) -> UnsafeMutablePointer<Waiter>? {
        guard let first = firstInTurn else { return nil }
        if first.pointee.overdue <= now() { return claim(first) ? first : nil }
        if first.pointee.isWoken { return nil }
        first.pointee.isWoken = true
        return first
    }

    /// The first to come of those for whom there is a place.
    private var firstInTurn: UnsafeMutablePointer<Waiter>? {
        let reader = isFree(false) ? readers.first : nil
        let writer = isFree(true) ? writers.first : nil
        guard let reader, let writer else { return reader ?? writer }
        return reader.pointee.ticket < writer.pointee.ticket ? reader : writer
    }

    /// Forgets the waiting threads in the child of a fork: they are threads of the parent, and the connections are the
    /// parent's too.
    mutating func forgetParent() {
        held = 0
        readers = WaitingLine()
        writers = WaitingLine()
    }
}
