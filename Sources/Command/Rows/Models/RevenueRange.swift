package import SKANCore

/// Revenue of at least `least` and less than `most`. Refunds can make both negative.
package struct RevenueRange {
    package private(set) var least: Money
    /// The upper limit; nil if there is none.
    package private(set) var most: Money?
    /// Whether the revenue has a lower limit. If not, `least` is 0, or `most` if that is negative.
    private(set) var hasLowerEnd: Bool

    /// The range of a value that says nothing about revenue.
    static var open: RevenueRange { RevenueRange(least: .zero, most: nil, hasLowerEnd: false) }

    /// Takes the bounds of a condition on revenue; nil if one of the bounds is too large for a report.
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

    /// The intersection of this range and another one.
    func narrowed(by other: RevenueRange) -> RevenueRange {
        let least = Money(units: max(least.units, other.least.units))
        let hasLowerEnd = hasLowerEnd || other.hasLowerEnd
        guard let most, let otherMost = other.most else {
            return RevenueRange(least: least, most: most ?? other.most, hasLowerEnd: hasLowerEnd)
        }
        let end = Money(units: min(most.units, otherMost.units))
        return RevenueRange(least: least, most: end, hasLowerEnd: hasLowerEnd)
    }

    /// The range of the sum of two amounts, one in each range; nil if a bound becomes too large.
    func added(to other: RevenueRange) -> RevenueRange? {
        var sum = RevenueRange(least: least, most: nil, hasLowerEnd: hasLowerEnd && other.hasLowerEnd)
        guard sum.least.take(in: other.least) else { return nil }
        guard var most, let otherMost = other.most else { return sum }
        guard most.take(in: otherMost) else { return nil }
        sum.most = most
        return sum
    }
}
