import SKANCommandRows
import SKANCore

/// The part of a day's installs whose postbacks arrive within the period that a report covers, according to Apple's
/// delays. The same part of the day's cost is counted.
///
/// Assumes that an install is equally likely in any second of its day, and its postback in any second that Apple
/// allows: window 0 ends 48 hours after the first launch, and the postback follows 24 to 48 hours later. Before SKAN 4
/// the window ends 24 hours after the last update, and the postback follows within 24 hours. (Apple, "Receiving
/// postbacks in multiple conversion windows".)
struct ReportedPart {
    /// The part of `whole` whose postbacks arrive before the period that the report covers.
    private let before: UInt64
    /// The part of `whole` whose postbacks arrive before the end of the period that the report covers.
    private let until: UInt64
    /// The part of `whole` whose postbacks arrive before the report is made.
    private let reported: UInt64

    /// The part of `whole` whose postbacks arrive within the period that the report covers.
    var counted: UInt64 { until - before }
    /// The part of `whole` whose postbacks arrive before the report is made, but outside the period that it covers.
    var outside: UInt64 { reported - counted }
    /// The part of `whole` whose postbacks arrive after the report is made.
    var unreported: UInt64 { ReportedPart.whole - reported }

    /// The denominator of all parts: `counted` = `whole` / 2 means that half of the day's installs are counted.
    static var whole: UInt64 { 2 * second * second }
    private static var second: UInt64 { UInt64(Day.seconds) }

    /// `day`: days since 1970. `madeAt`: the time at which the report is made, in Unix seconds.
    init(day: Int64, isBeforeSKAN4: Bool, _ filter: ReportFilter, madeAt: Int64) {
        let first = (day + (isBeforeSKAN4 ? 1 : 3)) * Day.seconds
        reported = ReportedPart.arrived(before: madeAt, first)
        before = min(filter.from.map { ReportedPart.arrived(before: $0, first) } ?? 0, reported)
        until = max(min(filter.to.map { ReportedPart.arrived(before: $0, first) } ?? reported, reported), before)
    }

    /// Returns the part of `whole` whose postbacks arrive before `moment`. `first`: the earliest possible arrival. The
    /// delay after `first` is the sum of two times that are each uniformly distributed over a day.
    private static func arrived(before moment: Int64, _ first: Int64) -> UInt64 {
        let span = 2 * Day.seconds
        let passed = UInt64(min(max(moment, first), first + span) - first)
        let left = UInt64(span) - passed
        return passed <= second ? passed * passed : whole - left * left
    }
}

extension ReportedPart {
    /// Divides the day's cost in the proportion of the three parts. The costs up to the period's start and up to its
    /// end are rounded to hundredths, and the counted cost is their difference. So the costs of consecutive periods add
    /// up to the whole.
    func divided(_ cost: Money) -> (counted: Money, outside: Money, unreported: Money) {
        let reported = ReportedPart.rounded(reported, of: cost)
        let counted = ReportedPart.rounded(until, of: cost).units - ReportedPart.rounded(before, of: cost).units
        return (
            Money(units: counted), Money(units: reported.units - counted), Money(units: cost.units - reported.units)
        )
    }

    private static func rounded(_ part: UInt64, of cost: Money) -> Money {
        if part == 0 { return .zero }
        if part == whole { return cost }
        let share = cost.share(part, of: whole) ?? cost
        let hundredth = Money.scale / 100
        return Money(units: min(dividedHalfEven(share.units, by: hundredth) * hundredth, cost.units))
    }
}
