/// The range of times in which something happened, in Unix seconds, estimated from the arrival of postbacks.
struct EstimatedDates {
    var from: Int64
    /// The latest time, if the window was locked.
    var until: Int64
    /// The latest time, if the window was not locked.
    var untilUnlocked: Int64

    /// Widens the range to include another one.
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
