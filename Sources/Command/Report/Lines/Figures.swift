import SKANCommandRows
import SKANCore

/// Figures computed from the counts of a group, for one window or for all.
struct Figures {
    var winning, lost: UInt64
    var carried: CarriedCounts
    /// The conversions of both groups. Figures of all windows have the conversions of window 0, because later windows
    /// report the same conversions.
    let conversions: ConversionCounts
    /// The number of winning postbacks without a value, and the number of all winning postbacks. Figures of all windows
    /// have the numbers of window 0, which has one postback for each conversion.
    let withoutValue: (count: UInt64, winning: UInt64)
    /// The sum of the lower limits of the values' revenue; nil if no value has a known revenue.
    var least: Money?
    /// The sum of the upper limits of revenue, for the values that have one; nil if `least` is nil.
    private var mostOfLimited: Money?
    /// The sum of the estimated revenue of all values whose revenue is known; nil if there are none.
    var estimate: Money?
    /// The sum of all windows' extrapolated revenue. In a window, it is the mean estimate of the known values times the
    /// number of winning postbacks.
    var extrapolated: Money?
    /// Whether a window has winning postbacks but no known revenue, so that `extrapolated` does not include it.
    var isPartial: Bool

    init(_ counts: borrowing LineCounts, _ group: ConversionGroup, _ window: Window) {
        let from = counts[group, window]
        (winning, lost) = (from.winning, from.lost)
        carried = from.carried
        var conversions = counts[.installs, window].conversions
        conversions.add(counts[.reengagements, window].conversions)
        self.conversions = conversions
        withoutValue = (carried.hidden, from.winning)
        let hasRevenue = carried.priced > 0
        (least, mostOfLimited) = (hasRevenue ? from.least : nil, hasRevenue ? from.most : nil)
        estimate = hasRevenue ? from.estimate : nil
        extrapolated = from.estimate.share(from.winning, of: carried.priced)
        isPartial = from.winning > 0 && extrapolated == nil
    }

    /// Makes the figures of all windows.
    init(_ counts: borrowing LineCounts, _ group: ConversionGroup) {
        self.init(counts, group, .first)
        for window in Window.all where window != .first { add(Figures(counts, group, window)) }
    }

    /// Makes the figures of all windows if `window` is nil.
    init(_ counts: borrowing LineCounts, _ group: ConversionGroup, in window: Window?) {
        if let window { self.init(counts, group, window) } else { self.init(counts, group) }
    }

    /// The sum of the upper limits of revenue, if every value with known revenue has one; nil otherwise.
    var most: Money? { carried.open == 0 ? mostOfLimited : nil }

    private mutating func add(_ more: Figures) {
        winning += more.winning
        lost += more.lost
        carried.add(more.carried)
        isPartial = isPartial || more.isPartial
        least = sum(least, more.least)
        mostOfLimited = sum(mostOfLimited, more.mostOfLimited)
        estimate = sum(estimate, more.estimate)
        extrapolated = sum(extrapolated, more.extrapolated)
    }
}

/// Returns the sum of the amounts that are not nil; nil if both are nil, or if the sum becomes too large.
private func sum(_ one: Money?, _ other: Money?) -> Money? {
    guard var sum = one, let other else { return one ?? other }
    return sum.take(in: other) ? sum : nil
}
