internal import CSKANSystem
internal import SKANSystem

/// The line in which writers of several processes stand that have waited for long.
///
/// SQLite gives its lock to whoever asks at the right moment, and a process that makes one change after the other
/// leaves it free for moments only. So a writer that has waited for long takes a place in a line. As long as somebody
/// stands there, no process begins its next change, and of the line only the first asks for SQLite's lock. Its process
/// may then go on for a turn: a hand-over after each change would take longer than the change, as the next process
/// sleeps until it looks again.
///
/// A place is a lock on one byte of the write-ahead log, the higher, the later it was taken. SQLite's own locks are on
/// the database and on the log's index. The place belongs to the open file, so that the system gives it up where the
/// process ends, and it stays where the process closes the log elsewhere.
struct WriterLine {
    /// The turn of all connections of a store, of which one writes at a time.
    final class Turn {
        /// The time until which the process goes on though others stand in line, by `microsecondsNow`.
        fileprivate var end: UInt64 = 0
        /// The last place of a writer that did not go on, a stopped process for instance. Nobody waits for it again.
        fileprivate var stuck: UInt64 = 0
    }

    /// The length of a turn in microseconds: several times what a disk takes for a change.
    private static var turnLength: UInt64 { 20_000 }
    /// The wait, in microseconds, after which a writer stands in line. Until then all that wait ask for the lock, so
    /// that it is seldom free for long.
    private static var longWait: UInt64 { 50_000 }

    /// The log; -1: it cannot be opened, and there is no line.
    private let file: Int32
    private let turn: Turn
    private var place: UInt64?

    init(_ log: CText, _ turn: Turn) {
        file = system_open(log.characters, O_RDWR | O_CLOEXEC, 0)
        self.turn = turn
    }

    func end() { if file >= 0 { close(file) } }

    /// Whether a change has to let others go before.
    func letsOthersGo() -> Bool { file >= 0 && other(before: nil) != nil && microsecondsNow() >= turn.end }

    /// Gives the place up, if it has one: this process has SQLite's lock, and its turn begins, or does not want it.
    mutating func leave() {
        if place == nil { return }
        system_unlock_bytes(file)
        place = nil
        turn.end = microsecondsNow() + Self.turnLength
    }

    /// Takes the last place for one who has waited for long since `start`. False: it has none.
    mutating func takesPlace(since start: UInt64) -> Bool {
        let now = microsecondsNow()
        if place == nil && file >= 0 && now - start >= Self.longWait {
            // Another writer may have come in the same microsecond.
            place = (now..<now + 16).first { system_lock_byte(file, Int64(bitPattern: $0)) == 0 }
        }
        return place != nil
    }

    /// Waits until nobody stands before one who has waited since `start`, but only until `deadline`, and only for
    /// `patience` where the first one does not go on.
    mutating func wait(since start: UInt64, until deadline: UInt64, patience: UInt64) {
        var now = microsecondsNow()
        var first: UInt64 = 0
        var firstSince = now
        while now < deadline, let other = firstPlace() {
            if other != first { (first, firstSince) = (other, now) }
            if now - firstSince >= patience {
                turn.stuck = other
                return
            }
            pause(microseconds: min(100 + (now - start), 500))
            now = microsecondsNow()
            _ = takesPlace(since: start)
        }
    }

    /// The first place before its own.
    private func firstPlace() -> UInt64? {
        var first: UInt64?
        while let other = other(before: first ?? place) { first = other }
        return first
    }

    /// A place of another writer before this one; nil: any.
    private func other(before place: UInt64?) -> UInt64? {
        let start = turn.stuck + 1
        if let place, place <= start { return nil }
        let found = system_locked_byte(file, Int64(bitPattern: start), Int64(bitPattern: place.map { $0 - start } ?? 0))
        return found < 0 ? nil : UInt64(found)
    }
}

/// Waits about that long, below a second.
func pause(microseconds: UInt64) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(microseconds) * 1000)
    nanosleep(&time, nil)
}
