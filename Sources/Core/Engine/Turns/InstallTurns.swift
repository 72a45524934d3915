import CSKANSupport
import SKANCore

/// Rules, "Turns": ensures that calls of one engine that change the same install use the store one at a time, in the
/// order in which they came. No lock is held while a call has its turn. Any number of threads may use the object.
package final class InstallTurns: @unchecked Sendable {
    private let parts: UnsafeMutablePointer<BusyInstalls>
    private let seed = support_random()
    /// The parts' locks, registered so that a fork waits until they are free.
    private let forkedLocks: UnsafeMutablePointer<support_forked_locks>

    private static var partCount: Int { 64 }
    /// The longest time that a call waits for its turn, in microseconds.
    private static var longestWait: Int64 { 10_000_000 }
    /// The interval in microseconds at which waiting threads check whether their wait is over.
    package static var pause: Int64 { 250_000 }
    /// The interval in microseconds at which the first thread in line checks while short calls may overtake it.
    static var shortPause: Int64 { 200 }

    package init() {
        let (count, stride) = (InstallTurns.partCount, MemoryLayout<BusyInstalls>.stride)
        // Each part has a cache line of its own.
        parts = UnsafeMutableRawPointer.allocate(byteCount: count * stride, alignment: 64)
            .bindMemory(to: BusyInstalls.self, capacity: count)
        for index in 0..<count {
            (parts + index).initialize(to: BusyInstalls())
            (parts + index).createLock()
        }
        forkedLocks = .allocate(capacity: 1)
        forkedLocks.initialize(to: support_forked_locks(first: parts, count: count, stride: stride, next: nil))
        support_remember_locks(forkedLocks)
    }

    deinit {
        support_forget_locks(forkedLocks)
        forkedLocks.deallocate()
        for index in 0..<InstallTurns.partCount {
            (parts + index).destroyLock()
            parts[index].destroy()
        }
        parts.deallocate()
    }

    /// The hash of an install's key, by which these functions know the install.
    package func install(_ key: UnsafeRawBufferPointer) -> UInt64 { keyHash(key, seed) }

    /// The deadline of a call that begins to wait now. When it is reached, the call continues without a turn.
    package var deadline: Int64 { support_ticks() &+ InstallTurns.longestWait }

    func part(of install: UInt64) -> UnsafeMutablePointer<BusyInstalls> { parts + Int(install >> 58) }

    // MARK: Taking turns

    /// Takes the turn of an install if no other call has it. `thread` is the number of the call's thread, or 0 if the
    /// call is not bound to a thread.
    package func takeIfFree(_ install: UInt64, on thread: UInt = 0) -> InstallTurn? {
        let part = part(of: install)
        part.acquire()
        defer { part.release() }
        return part.pointee.take(install, on: thread, at: support_ticks())
    }

    /// Takes the turn, or puts the waiter in line for it. Returns false if the wait is already over.
    package func join(_ waiter: TurnWaiter) -> Bool {
        let part = part(of: waiter.install)
        part.acquire()
        defer { part.release() }
        guard waiter.isWaiting else { return false }
        if let turn = part.pointee.take(waiter.install, on: waiter.thread, at: support_ticks()) {
            waiter.end(turn.number)
        } else {
            part.pointee.append(waiter)
        }
        return waiter.isWaiting
    }

    /// Ends a wait early; the call then has no turn. Returns true if the waiter stood in line; the caller must then
    /// wake it.
    package func leave(_ waiter: TurnWaiter) -> Bool {
        let part = part(of: waiter.install)
        part.acquire()
        defer { part.release() }
        guard waiter.isWaiting else { return false }
        waiter.end(0)
        return waiter.isInLine
    }

    /// Ends a turn, and passes it to the next call in line.
    package func end(_ turn: InstallTurn) {
        guard !turn.isNone else { return }
        let part = part(of: turn.install)
        part.acquire()
        let next = part.pointee.end(turn, at: support_ticks())
        part.release()
        next?.wake()
    }

    /// Ends all waits that have reached their deadline, on behalf of waiters that cannot check this themselves. Returns
    /// whether any call still waits.
    package func endWaits() -> Bool {
        var isWaited = false
        for index in 0..<InstallTurns.partCount {
            (parts + index).acquire()
            let found = parts[index].endWaits(at: support_ticks())
            (parts + index).release()
            for waiter in found.ended { waiter.wake() }
            isWaited = isWaited || found.isWaited
        }
        return isWaited
    }
}
