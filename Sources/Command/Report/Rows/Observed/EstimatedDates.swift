/// The earliest and latest time at which something happened, Unix seconds; estimated from when postbacks arrived.
struct EstimatedDates {
    var from: Int64
    /// The latest time, if the window was locked.
    var until: Int64
    /// The latest time, if it was not.
    var untilUnlocked: Int64

    /// The times of both.
    mutating func widen(to other: EstimatedDates) {
        from = min(from, other.from)
        until = max(until, other.until)
        untilUnlocked = max(untilUnlocked, other.untilUnlocked)
    }
}

extension EstimatedDates? {
    mutating func widen(to other: EstimatedDates?) {
        guard let other else { return }
        guard var both = self else {
            self = other
            return
        }
        both.widen(to: other)
        self = both
    }
}
