internal import SKANCore

/// What is reckoned from the counts of a group: of one window, or of all.
struct Figures {
    var winning, lost, fine, coarse, hidden: UInt64
    /// Conversions of both groups. Figures of all windows have those of window 0, because later windows report the same
    /// conversions.
    let conversions: ConversionCounts
    /// The number of winning postbacks without a value, and of all winning ones. Figures of all windows have those of
    /// window 0, which has one postback for each conversion.
    let withoutValue: (count: UInt64, winning: UInt64)
    var priced, open: UInt64
    /// nil unless one value at least has a known revenue.
    var least: Money?
    /// The greatest revenue of values with an upper limit; nil if `least` is.
    private var mostOfLimited: Money?
    /// The sum of the known values' estimates, as rows have them.
    var estimate: Money?
    /// Each window's mean of these, for all its winning postbacks.
    var extrapolated: Money?
    /// A window has winning postbacks, and none of known revenue: it is not in what is extrapolated.
    var isPartial: Bool

    /// Makes the figures of one window.
    init(_ counts: borrowing LineCounts, _ group: ConversionGroup, _ window: Window) {
        let from = counts[group, window]
        (winning, lost) = (from.winning, from.lost)
        (fine, coarse, hidden) = (from.fine, from.coarse, from.hidden)
        (priced, open) = (from.priced, from.open)
        var conversions = counts[.installs, window].conversions
        conversions.add(counts[.reengagements, window].conversions)
        self.conversions = conversions
        withoutValue = (from.hidden, from.winning)
        let hasRevenue = from.priced > 0
        (least, mostOfLimited) = (hasRevenue ? from.least : nil, hasRevenue ? from.most : nil)
        estimate = hasRevenue ? from.estimate : nil
        extrapolated = from.estimate.share(from.winning, of: from.priced)
        isPartial = from.winning > 0 && extrapolated == nil
    }

    /// Makes the figures of all windows.
    init(_ counts: borrowing LineCounts, _ group: ConversionGroup) {
        self.init(counts, group, .first)
        for window in Window.all where window != .first { add(Figures(counts, group, window)) }
    }

    /// Makes the figures of one window, or of all for nil.
    init(_ counts: borrowing LineCounts, _ group: ConversionGroup, in window: Window?) {
        if let window { self.init(counts, group, window) } else { self.init(counts, group) }
    }

    /// The greatest revenue, if each known value has an upper limit; nil otherwise.
    var most: Money? { open == 0 ? mostOfLimited : nil }

    private mutating func add(_ more: Figures) {
        winning += more.winning
        lost += more.lost
        fine += more.fine
        coarse += more.coarse
        hidden += more.hidden
        priced += more.priced
        open += more.open
        isPartial = isPartial || more.isPartial
        least = sum(least, more.least)
        mostOfLimited = sum(mostOfLimited, more.mostOfLimited)
        estimate = sum(estimate, more.estimate)
        extrapolated = sum(extrapolated, more.extrapolated)
    }
}

/// The sum of the amounts that are known; nil if none is, or the sum would leave the range.
private func sum(_ one: Money?, _ other: Money?) -> Money? {
    guard var sum = one, let other else { return one ?? other }
    return sum.take(in: other) ? sum : nil
}
