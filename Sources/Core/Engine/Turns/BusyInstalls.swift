import CSKANSupport

/// The installs that calls are working on, and the calls that wait for each. It is a hash table that grows and shrinks
/// with the number of installs. An install is known by the hash of its key. Two installs with the same hash share their
/// turns, which does no harm. The caller of each function holds the lock. The struct has 64 bytes, one cache line, and
/// begins with the lock.
struct BusyInstalls {
    fileprivate var lock = support_lock()
    private var buckets: UnsafeMutablePointer<BusyInstall?>?
    private var bucketCount: UInt32 = 0
    private var count: UInt32 = 0
    private var lastNumber: UInt32 = 0
    private var forks = support_forks()

    private static var fewest: UInt32 { 8 }

    /// Frees the table. No call may be under way.
    mutating func destroy() { resize(to: 0) }

    /// Forgets all calls in the child of a fork, because their threads exist only in the parent. The old table is not
    /// freed, because those threads used it.
    fileprivate mutating func forgetParent() {
        guard forks != support_forks() else { return }
        forks = support_forks()
        (buckets, bucketCount, count) = (nil, 0, 0)
    }

    // MARK: Turns

    /// Gives an install's turn to a call if no call has it, or if the present turn has lasted too long and no call
    /// waits. Otherwise returns nil.
    ///
    /// If the call that has the turn runs on the same thread, on another stack, the new call continues without a turn.
    mutating func take(_ install: UInt64, on thread: UInt, at now: Int64) -> InstallTurn? {
        guard let busy = find(install) else {
            let number = newNumber()
            insert(BusyInstall(install, Holder(number: number, thread: thread, since: now)))
            return InstallTurn(install: install, number: number)
        }
        if thread != 0, busy.holder?.thread == thread { return InstallTurn(install: install, number: 0) }
        guard busy.holder == nil || (busy.first == nil && busy.isOverdue(at: now)) else { return nil }
        let number = newNumber()
        busy.holder = Holder(number: number, thread: thread, since: now)
        return InstallTurn(install: install, number: number)
    }

    /// Adds a waiter at the end of its install's line. Another call must have the turn.
    mutating func append(_ waiter: TurnWaiter) { find(waiter.install)?.append(waiter) }

    /// Ends a turn. Returns the waiter to wake, if there is one. That waiter now has the turn, or may try to take it.
    mutating func end(_ turn: InstallTurn, at now: Int64) -> TurnWaiter? {
        guard let busy = find(turn.install), busy.holder?.number == turn.number else { return nil }
        if let next = busy.first, busy.mayBeOvertaken(next, at: now) {
            busy.holder = nil
            return next.wasOvertaken ? nil : next
        }
        let next = pass(busy, at: now)
        if next == nil { remove(busy) }
        return next
    }

    private mutating func pass(_ busy: BusyInstall, at now: Int64) -> TurnWaiter? {
        guard let next = busy.popFirst() else { return nil }
        let number = newNumber()
        busy.holder = Holder(number: number, thread: next.thread, since: now)
        busy.passed = now
        next.end(number)
        return next
    }

    /// Gives the turn to a waiter that is the first in line, if the turn is free. If the turn is not free, notes in the
    /// waiter whether short calls may overtake it. While they may, the waiter checks again by itself and is not woken.
    mutating func claim(_ waiter: TurnWaiter, at now: Int64) {
        guard let busy = find(waiter.install), busy.first === waiter else { return }
        if busy.holder == nil {
            _ = pass(busy, at: now)
        } else {
            waiter.wasOvertaken = busy.mayBeOvertaken(waiter, at: now)
        }
    }

    /// Ends the waits for an install that have reached their deadline. If the turn is free or has lasted too long,
    /// gives it to the first remaining waiter.
    mutating func endWaits(for install: UInt64, at now: Int64) -> [TurnWaiter] {
        find(install).map { endWaits($0, at: now) } ?? []
    }

    private mutating func endWaits(_ busy: BusyInstall, at now: Int64) -> [TurnWaiter] {
        var ended: [TurnWaiter] = []
        while let first = busy.first, first.deadline <= now, let late = busy.popFirst() {
            late.end(0)
            ended.append(late)
        }
        guard busy.holder == nil || busy.isOverdue(at: now) else { return ended }
        if let next = pass(busy, at: now) { ended.append(next) } else if busy.holder == nil { remove(busy) }
        return ended
    }

    /// Ends the waits that have reached their deadline, for all installs. `isWaited` in the result says whether any
    /// call still waits.
    mutating func endWaits(at now: Int64) -> (ended: [TurnWaiter], isWaited: Bool) {
        var ended: [TurnWaiter] = []
        var isWaited = false
        for bucket in 0..<Int(bucketCount) {
            var next = buckets?[bucket]
            while let busy = next {
                next = busy.next
                ended += endWaits(busy, at: now)
                if busy.first != nil { isWaited = true }
            }
        }
        return (ended, isWaited)
    }

    private mutating func newNumber() -> UInt32 {
        lastNumber = lastNumber == .max ? 1 : lastNumber &+ 1
        return lastNumber
    }

    // MARK: The table

    private func bucket(_ install: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: install) & (bucketCount &- 1)) }

    private func find(_ install: UInt64) -> BusyInstall? {
        guard let buckets else { return nil }
        var next = buckets[bucket(install)]
        while let busy = next, busy.install != install { next = busy.next }
        return next
    }

    private mutating func insert(_ busy: BusyInstall) {
        if count == bucketCount { resize(to: max(BusyInstalls.fewest, bucketCount &* 2)) }
        guard let buckets else { return }
        busy.next = buckets[bucket(busy.install)]
        buckets[bucket(busy.install)] = busy
        count &+= 1
    }

    private mutating func remove(_ busy: BusyInstall) {
        guard let buckets else { return }
        let bucket = bucket(busy.install)
        if buckets[bucket] === busy {
            buckets[bucket] = busy.next
        } else {
            var before = buckets[bucket]
            while let other = before, other.next !== busy { before = other.next }
            before?.next = busy.next
        }
        count &-= 1
        if count == 0, bucketCount > BusyInstalls.fewest { resize(to: 0) }
    }

    private mutating func resize(to newCount: UInt32) {
        let (old, oldCount) = (buckets, bucketCount)
        buckets = newCount == 0 ? nil : .allocate(capacity: Int(newCount))
        buckets?.initialize(repeating: nil, count: Int(newCount))
        bucketCount = newCount
        for index in 0..<Int(oldCount) {
            var next = old?[index]
            while let busy = next, let buckets {
                next = busy.next
                busy.next = buckets[bucket(busy.install)]
                buckets[bucket(busy.install)] = busy
            }
        }
        old?.deinitialize(count: Int(oldCount))
        old?.deallocate()
    }
}

/// The call that has a turn.
private struct Holder {
    let number: UInt32
    /// The number of the call's thread; 0 if the call is not bound to a thread.
    let thread: UInt
    /// The time at which the turn began, by `support_ticks`.
    let since: Int64
}

private final class BusyInstall {
    /// The longest time that a turn lasts if other calls wait, in microseconds.
    private static var longestTurn: Int64 { 1_000_000 }

    /// The time during which short calls may overtake waiting threads, in microseconds since a waiter last got the
    /// turn. Without it, each short call would have to wait until the system schedules the next thread.
    private static var longestBurst: Int64 { 1000 }

    let install: UInt64
    /// The call that has the turn; nil if the turn is free and calls wait for it.
    var holder: Holder?
    /// The time at which a waiter last got the turn, by `support_ticks`.
    var passed: Int64
    /// The next install in the same bucket.
    var next: BusyInstall?
    private(set) var first: TurnWaiter?
    private var last: TurnWaiter?

    init(_ install: UInt64, _ holder: Holder) {
        self.install = install
        self.holder = holder
        passed = holder.since
    }

    func isOverdue(at now: Int64) -> Bool {
        guard let holder else { return false }
        return now &- holder.since >= BusyInstall.longestTurn
    }

    /// Whether short calls may overtake a waiter. Waiting tasks are never overtaken, because they are scheduled at
    /// once.
    func mayBeOvertaken(_ waiter: TurnWaiter, at now: Int64) -> Bool {
        waiter.thread != 0 && now &- passed < BusyInstall.longestBurst
    }

    func append(_ waiter: TurnWaiter) {
        waiter.isInLine = true
        if let last { last.behind = waiter } else { first = waiter }
        last = waiter
    }

    /// Removes the first call that still waits from the line, and returns it.
    func popFirst() -> TurnWaiter? {
        while let waiter = first {
            first = waiter.behind
            waiter.behind = nil
            if first == nil { last = nil }
            if waiter.isWaiting { return waiter }
        }
        return nil
    }
}

extension UnsafeMutablePointer<BusyInstalls> {
    func createLock() { support_lock_create(&pointee.lock) }
    func destroyLock() { support_lock_destroy(&pointee.lock) }

    func acquire() {
        support_acquire(&pointee.lock)
        pointee.forgetParent()
    }

    func release() { support_release(&pointee.lock) }

    /// Waits for the signal, but not beyond `moment`. The lock is released while the thread waits.
    func await(_ signal: UnsafeMutablePointer<support_signal>, until moment: Int64) {
        support_signal_await(signal, &pointee.lock, moment)
    }
}
