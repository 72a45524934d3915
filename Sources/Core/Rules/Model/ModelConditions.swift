/// What a condition is about: a count, the time since install, revenue, or a measure.
package struct ModelAxis: Equatable, Sendable {
    /// 0: sessions; then the events by their places; the time; nine of revenue; the measures by their numbers.
    package let number: UInt8

    @inline(__always)
    private init(number: Int) { self.number = UInt8(truncatingIfNeeded: number) }

    package static var sessions: ModelAxis { ModelAxis(number: 0) }
    /// The count with this place; 0 is that of sessions.
    package static func count(_ place: Int) -> ModelAxis { ModelAxis(number: place) }
    /// The time since the first call, in whole hours.
    package static var time: ModelAxis { ModelAxis(number: Limits.modelCounts) }
    package static func revenue(_ axis: RevenueAxis) -> ModelAxis {
        ModelAxis(number: Limits.modelCounts &+ 1 &+ Int(axis.number))
    }
    package static func measure(_ number: Int) -> ModelAxis { ModelAxis(number: firstMeasure &+ number) }

    private static var firstMeasure: Int { Limits.modelCounts &+ 1 &+ Int(RevenueAxis.count) }
    /// How many there can be.
    static var count: Int { firstMeasure &+ Limits.modelMeasures }

    /// The place of a count, nil where it is about something else.
    package var place: Int? { number < Limits.modelCounts ? Int(number) : nil }
    package var revenue: RevenueAxis? {
        let first = Limits.modelCounts &+ 1
        return number >= first && number < ModelAxis.firstMeasure
            ? RevenueAxis(number: UInt8(truncatingIfNeeded: Int(number) &- first)) : nil
    }
    /// The number of a measure.
    package var measure: Int? { number >= ModelAxis.firstMeasure ? Int(number) &- ModelAxis.firstMeasure : nil }
}

/// A range [min, max) of what an axis tells: a count, hours, or units of money in the model's currency.
package struct ModelCondition: Sendable {
    package var axis: ModelAxis
    /// Whether it is one of money, which may be negative; a count or a time is not.
    package var isAmount: Bool
    package var min: Int128
    package var max: Int128

    /// A max that is not there.
    package static var open: Int128 { Int128.max }
    /// A min that is not there, of money.
    package static var openBelow: Int128 { Int128.min }
    package static var hoursOfDay: Int128 { 24 }

    /// The least that it can be about.
    package var floor: Int128 { isAmount ? ModelCondition.openBelow : 0 }
    /// Whether it asks for nothing.
    package var isEverything: Bool { min == floor && max == ModelCondition.open }
    package var end: Int128? { max == ModelCondition.open ? nil : max }
    /// The least amount of a condition on money; nil where it is open.
    package var leastAmount: Money? { min == ModelCondition.openBelow ? nil : Money(units: min) }
    /// The amount at which a condition on money ends, itself not in the range; nil where it is open.
    package var endAmount: Money? { end.map { Money(units: $0) } }

    /// A condition on time in days: the same range, or the smallest one of whole days around it.
    package var inDays: ModelCondition {
        var days = self
        days.min = min / ModelCondition.hoursOfDay
        if let end { days.max = (end &+ ModelCondition.hoursOfDay &- 1) / ModelCondition.hoursOfDay }
        return days
    }
}

/// Rules, "Re-engagement models": what revenue is counted from: the window, the install, or the re-engagement's start.
package enum RevenueScope: UInt8, Sendable {
    case window = 0
    case lifetime = 1
    case conversion = 2

    package var name: StaticString {
        switch self {
        case .window: "window"
        case .lifetime: "lifetime"
        case .conversion: "conversion"
        }
    }
}

/// The revenue that is meant: IAP, ad or all, of a scope.
package struct RevenueAxis: Equatable, Sendable {
    package let number: UInt8

    package init(number: UInt8) { self.number = number }

    package init(_ kind: RevenueKind?, _ scope: RevenueScope) {
        let kind: UInt8 = kind.map { $0.rawValue } ?? 2
        number = kind &+ scope.rawValue &* 3
    }

    package init(_ kind: RevenueKind?, lifetime: Bool) { self.init(kind, lifetime ? .lifetime : .window) }

    package static var count: UInt8 { 9 }

    /// nil for all revenue.
    package var kind: RevenueKind? { RevenueKind(rawValue: number % 3) }
    package var scope: RevenueScope { RevenueScope(rawValue: number / 3) ?? .window }
    package var isLifetime: Bool { scope == .lifetime }

    package var kindName: StaticString {
        switch kind {
        case .iap: "iap"
        case .ad: "ad"
        case nil: "all"
        }
    }

    package var scopeName: StaticString { scope.name }
}
