/// The earliest and latest time at which something happened, Unix seconds; estimated from when postbacks arrived.
package struct EstimatedDates {
    package var from: Int64
    /// The latest time, if the window was locked.
    package var until: Int64
    /// The latest time, if it was not.
    package var untilUnlocked: Int64

    /// The times of both.
    package mutating func widen(to other: EstimatedDates) {
        from = min(from, other.from)
        until = max(until, other.until)
        untilUnlocked = max(untilUnlocked, other.untilUnlocked)
    }
}

extension EstimatedDates? {
    package mutating func widen(to other: EstimatedDates?) {
        guard let other else { return }
        guard var both = self else {
            self = other
            return
        }
        both.widen(to: other)
        self = both
    }
}
