internal import CSKANSystem
internal import SKANSystem

/// The line in which writers of several processes wait if they have waited for long.
///
/// SQLite gives its lock to whoever asks at the right moment, and a process that makes one change after the other
/// leaves it free for moments only. So a writer that has waited for long takes a place in a line. As long as a writer
/// is in line, no other process begins a new change, and only the first in line asks for SQLite's lock. Its process may
/// then make changes for the length of a turn: passing the lock on after each change would take longer than the change
/// itself, because the next process sleeps until it looks again.
///
/// A place is a lock on one byte of the write-ahead log; later places are at higher bytes. SQLite's own locks are on
/// the database and on the log's index. The place belongs to the open file: the system releases it when the process
/// ends, and it remains if the process closes the log elsewhere.
struct WriterLine {
    /// The turn that all connections of a store share, since only one of them writes at a time.
    final class Turn {
        /// The time, by `microsecondsNow`, until which the process continues although others are in line.
        fileprivate var end: UInt64 = 0
        /// The last place of a writer that made no progress, for example a stopped process. Nobody waits for it again.
        fileprivate var stuck: UInt64 = 0
    }

    /// The length of a turn in microseconds: several times what a disk takes for a change.
    private static var turnLength: UInt64 { 20_000 }
    /// The wait in microseconds after which a writer joins the line. Until then all waiting writers ask for the lock,
    /// so that it is seldom free for long.
    private static var longWait: UInt64 { 50_000 }

    /// The open log; -1 if it cannot be opened, and there is no line.
    private let file: Int32
    private let turn: Turn
    private var place: UInt64?

    init(_ log: CText, _ turn: Turn) {
        file = system_open(log.characters, O_RDWR | O_CLOEXEC, 0)
        self.turn = turn
    }

    func end() { if file >= 0 { close(file) } }

    /// Whether a change must let other writers go first.
    func letsOthersGo() -> Bool { file >= 0 && other(before: nil) != nil && microsecondsNow() >= turn.end }

    /// Leaves the line, if the writer is in it: because this process has SQLite's lock and its turn begins, or no
    /// longer wants it.
    mutating func leave() {
        if place == nil { return }
        system_unlock_bytes(file)
        place = nil
        turn.end = microsecondsNow() + Self.turnLength
    }

    /// Takes the last place for a writer that has waited for long since `start`. Returns false if it gets none.
    mutating func takesPlace(since start: UInt64) -> Bool {
        let now = microsecondsNow()
        if place == nil && file >= 0 && now - start >= Self.longWait {
            // Another writer may have come in the same microsecond.
            place = (now..<now + 16).first { system_lock_byte(file, Int64(bitPattern: $0)) == 0 }
        }
        return place != nil
    }

    /// Waits until the writer that has waited since `start` is first in line, but only until `deadline`, and only for
    /// `patience` if the first one makes no progress.
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

    /// The first place in line before this writer's own.
    private func firstPlace() -> UInt64? {
        var first: UInt64?
        while let other = other(before: first ?? place) { first = other }
        return first
    }

    /// The place of another writer before this place, or of any other writer if nil.
    private func other(before place: UInt64?) -> UInt64? {
        let start = turn.stuck + 1
        if let place, place <= start { return nil }
        let found = system_locked_byte(file, Int64(bitPattern: start), Int64(bitPattern: place.map { $0 - start } ?? 0))
        return found < 0 ? nil : UInt64(found)
    }
}

/// Sleeps about this long; less than a second.
func pause(microseconds: UInt64) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(microseconds) * 1000)
    nanosleep(&time, nil)
}
