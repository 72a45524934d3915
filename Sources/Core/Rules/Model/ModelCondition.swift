/// A range [min, max) of numbers on an axis: counts, hours, or units of money in the model's currency.
package struct ModelCondition: Sendable {
    package var axis: ModelAxis
    /// Whether the range is of money, which may be negative, unlike counts and times.
    package var isAmount: Bool
    package var min: Int128
    package var max: Int128

    /// The value of `max` if there is no upper bound.
    package static var open: Int128 { Int128.max }
    /// The value of `min` if a range of money has no lower bound.
    package static var openBelow: Int128 { Int128.min }

    /// The value of `min` if there is no lower bound: counts and times begin at 0.
    package var floor: Int128 { isAmount ? ModelCondition.openBelow : 0 }
    /// Whether the range has no bounds, so that every install meets the condition.
    package var isEverything: Bool { min == floor && max == ModelCondition.open }
    package var end: Int128? { max == ModelCondition.open ? nil : max }
    /// The lower bound of a range of money; nil if there is none.
    package var leastAmount: Money? { min == ModelCondition.openBelow ? nil : Money(units: min) }
    /// The upper bound of a range of money, which is not in the range; nil if there is none.
    package var endAmount: Money? { end.map { Money(units: $0) } }

    /// The range in a larger unit, with both bounds rounded outwards to whole units.
    package func inUnits(of unit: Int128) -> ModelCondition {
        if unit == 1 { return self }
        var range = self
        range.min = min / unit
        if let end { range.max = (end &+ unit &- 1) / unit }
        return range
    }

    /// The range of a condition on time, in days.
    package var inDays: ModelCondition { inUnits(of: Day.hours) }
}
