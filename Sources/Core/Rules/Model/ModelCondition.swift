/// A range [min, max) of what an axis tells: a count, hours, or units of money in the model's currency.
package struct ModelCondition: Sendable {
    package var axis: ModelAxis
    /// Whether the range is of money, which may be negative, unlike counts and times.
    package var isAmount: Bool
    package var min: Int128
    package var max: Int128

    /// A max that is not there.
    package static var open: Int128 { Int128.max }
    /// A min that is not there, of money.
    package static var openBelow: Int128 { Int128.min }

    /// The least that it can be about.
    package var floor: Int128 { isAmount ? ModelCondition.openBelow : 0 }
    /// Whether it asks for nothing.
    package var isEverything: Bool { min == floor && max == ModelCondition.open }
    package var end: Int128? { max == ModelCondition.open ? nil : max }
    /// The least amount of a condition on money; nil where it is open.
    package var leastAmount: Money? { min == ModelCondition.openBelow ? nil : Money(units: min) }
    /// The amount at which a condition on money ends, itself not in the range; nil where it is open.
    package var endAmount: Money? { end.map { Money(units: $0) } }

    /// The same range in a larger unit, or the smallest one of whole units around it.
    package func inUnits(of unit: Int128) -> ModelCondition {
        if unit == 1 { return self }
        var range = self
        range.min = min / unit
        if let end { range.max = (end &+ unit &- 1) / unit }
        return range
    }

    /// A condition on time in days.
    package var inDays: ModelCondition { inUnits(of: Day.hours) }
}
