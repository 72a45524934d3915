package import SKANCore

/// Revenue from `least` up to, not including, `most`. Refunds can make both negative.
package struct RevenueRange {
    package private(set) var least: Money
    /// nil: there is no upper limit.
    package private(set) var most: Money?

    /// What is worth nothing for certain.
    static var open: RevenueRange { RevenueRange(least: .zero, most: nil) }

    /// nil where a bound is too large for a report.
    init?(_ condition: ModelCondition) {
        least = condition.leastAmount ?? .zero
        most = condition.endAmount
        guard least.hasFewDigits, most?.hasFewDigits ?? true else { return nil }
    }

    private init(least: Money, most: Money?) {
        self.least = least
        self.most = most
    }

    /// What both hold.
    func narrowed(by other: RevenueRange) -> RevenueRange {
        let least = Money(units: max(least.units, other.least.units))
        guard let most, let otherMost = other.most else { return RevenueRange(least: least, most: most ?? other.most) }
        return RevenueRange(least: least, most: Money(units: min(most.units, otherMost.units)))
    }

    /// The range of the sum of two amounts; nil if that leaves the range.
    func added(to other: RevenueRange) -> RevenueRange? {
        var sum = RevenueRange(least: least, most: nil)
        guard sum.least.take(in: other.least) else { return nil }
        guard var most, let otherMost = other.most else { return sum }
        guard most.take(in: otherMost) else { return nil }
        sum.most = most
        return sum
    }
}
