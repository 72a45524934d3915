internal import CSKANSystem
internal import SKANSystem

/// The line in which writers of several processes wait once they have waited for long.
///
/// SQLite gives its lock to the process that happens to ask at the right moment, and a process that makes one change
/// after the other leaves the lock free only for moments. So a writer that has waited for long takes a place in a line.
/// As long as a writer is in line, no other process begins a new change, and only the first writer in line asks for
/// SQLite's lock. The process of that writer may then make changes for the length of a turn. Passing the lock on after
/// each change would take longer than the change itself, because the next process sleeps until it looks again.
///
/// A place is a lock on one byte of the write-ahead log; later places are at higher bytes. SQLite's own locks are on
/// other files: the database and the log's index. A place belongs to the open file description: the system releases it
/// when the process ends, and it remains if the process closes another descriptor of the log.
struct WriterLine {
    /// The turn that all connections of a store share, since only one of them writes at a time.
    final class Turn {
        /// The time, by `microsecondsNow`, until which this process may make changes although others are in line.
        fileprivate var end: UInt64 = 0
        /// The latest place of a writer that made no progress, for example of a stopped process. The store no longer
        /// waits for this place or earlier ones.
        fileprivate var stuck: UInt64 = 0
    }

    /// The length of a turn in microseconds: several times as long as a disk needs for a change.
    private static var turnLength: UInt64 { 20_000 }
    /// The wait in microseconds after which a writer joins the line. Until then all waiting writers ask for the lock,
    /// so that it is seldom free for long.
    private static var longWait: UInt64 { 50_000 }

    /// The descriptor of the log; -1 if the log cannot be opened, so that there is no line.
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

    /// Leaves the line, if the writer is in it. Called when this process has SQLite's lock, so that its turn begins,
    /// and when it no longer wants the lock.
    mutating func leave() {
        if place == nil { return }
        system_unlock_bytes(file)
        place = nil
        turn.end = microsecondsNow() + Self.turnLength
    }

    /// Takes the last place if the writer has no place and has waited for long since `start`. Returns whether it has a
    /// place.
    mutating func takesPlace(since start: UInt64) -> Bool {
        let now = microsecondsNow()
        if place == nil && file >= 0 && now - start >= Self.longWait {
            // Another writer may have taken a place in the same microsecond.
            place = (now..<now + 16).first { system_lock_byte(file, Int64(bitPattern: $0)) == 0 }
        }
        return place != nil
    }

    /// Waits until the writer that has waited since `start` is first in line, but not beyond `deadline`. Gives up if
    /// the first writer in line makes no progress for `patience`, in microseconds.
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

    /// The first place in line before this writer's own; nil if there is none.
    private func firstPlace() -> UInt64? {
        var first: UInt64?
        while let other = other(before: first ?? place) { first = other }
        return first
    }

    /// A place of another writer before `place`, or any place of another writer if `place` is nil; nil if there is
    /// none.
    private func other(before place: UInt64?) -> UInt64? {
        let start = turn.stuck + 1
        if let place, place <= start { return nil }
        let found = system_locked_byte(file, Int64(bitPattern: start), Int64(bitPattern: place.map { $0 - start } ?? 0))
        return found < 0 ? nil : UInt64(found)
    }
}

/// Sleeps for about this time, which must be less than a second.
func pause(microseconds: UInt64) {
    var time = timespec(tv_sec: 0, tv_nsec: Int(microseconds) * 1000)
    nanosleep(&time, nil)
}
