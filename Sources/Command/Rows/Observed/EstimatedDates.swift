/// The range of times in which an install, or the tap of a re-engagement, happened, in Unix seconds. It is estimated
/// from the arrival of postbacks.
package struct EstimatedDates {
    package var from: Int64
    /// The end of the range if the window was locked, in Unix seconds.
    package var until: Int64
    /// The end of the range if the window was not locked, in Unix seconds.
    package var untilUnlocked: Int64

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
