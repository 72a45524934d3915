package import SKANCore

/// Revenue from `least` up to, not including, `most`. Refunds can make both negative.
package struct RevenueRange {
    package private(set) var least: Money
    /// nil: there is no upper limit.
    package private(set) var most: Money?
    /// False if nothing says that there was any revenue; `least` is then 0, or `most` if that is less.
    private(set) var hasLowerEnd: Bool

    /// What is worth nothing for certain.
    static var open: RevenueRange { RevenueRange(least: .zero, most: nil, hasLowerEnd: false) }

    /// nil where a bound is too large for a report.
    init?(_ condition: ModelCondition) {
        most = condition.endAmount
        hasLowerEnd = condition.leastAmount != nil
        least = condition.leastAmount ?? Money(units: min(0, most?.units ?? 0))
        guard least.hasFewDigits, most?.hasFewDigits ?? true else { return nil }
    }

    private init(least: Money, most: Money?, hasLowerEnd: Bool) {
        self.least = least
        self.most = most
        self.hasLowerEnd = hasLowerEnd
    }

    /// What both hold.
    func narrowed(by other: RevenueRange) -> RevenueRange {
        let least = Money(units: max(least.units, other.least.units))
        let hasLowerEnd = hasLowerEnd || other.hasLowerEnd
        guard let most, let otherMost = other.most else {
            return RevenueRange(least: least, most: most ?? other.most, hasLowerEnd: hasLowerEnd)
        }
        let end = Money(units: min(most.units, otherMost.units))
        return RevenueRange(least: least, most: end, hasLowerEnd: hasLowerEnd)
    }

    /// The range of the sum of two amounts; nil if that leaves the range.
    func added(to other: RevenueRange) -> RevenueRange? {
        var sum = RevenueRange(least: least, most: nil, hasLowerEnd: hasLowerEnd && other.hasLowerEnd)
        guard sum.least.take(in: other.least) else { return nil }
        guard var most, let otherMost = other.most else { return sum }
        guard most.take(in: otherMost) else { return nil }
        sum.most = most
        return sum
    }
}
