internal import SKANCore

/// The part of a day's installs whose postbacks arrive in the time that a report is about, by Apple's delays. This part
/// of the day's cost is counted.
///
/// The report assumes that an install is equally likely at any second of its day, and its postback at any second that
/// Apple allows: window 0 ends 48 hours after the first launch, and the postback follows 24 to 48 hours later. Before
/// SKAN 4 the window ends 24 hours after the last update, and the postback follows within 24 hours. (Apple, "Receiving
/// postbacks in multiple conversion windows".)
struct ReportedPart {
    /// Parts of `whole`: in the time of the report, before or after it, and after the report was made.
    let counted: UInt64
    let outside: UInt64
    let unreported: UInt64

    /// All of a day's installs.
    static var whole: UInt64 { 2 * second * second }
    private static var second: UInt64 { UInt64(Day.seconds) }

    /// `day`: since 1970. `madeAt`: when the report was made, Unix seconds.
    init(day: Int64, isBeforeSKAN4: Bool, _ filter: ReportFilter, madeAt: Int64) {
        let first = (day + (isBeforeSKAN4 ? 1 : 3)) * Day.seconds
        let reported = ReportedPart.arrived(before: madeAt, first)
        let before = filter.from.map { min(ReportedPart.arrived(before: $0, first), reported) } ?? 0
        let until = filter.to.map { min(ReportedPart.arrived(before: $0, first), reported) } ?? reported
        counted = until > before ? until - before : 0
        unreported = ReportedPart.whole - reported
        outside = reported - counted
    }

    /// How many postbacks of a day arrive before a moment, if the first one arrives at `first`: the sum of two times
    /// that are each as likely to be any part of a day.
    private static func arrived(before moment: Int64, _ first: Int64) -> UInt64 {
        let span = 2 * Day.seconds
        let passed = UInt64(min(max(moment, first), first + span) - first)
        let left = UInt64(span) - passed
        return passed <= second ? passed * passed : whole - left * left
    }
}

extension ReportedPart {
    /// Divides a cost of the day, to hundredths.
    func divided(_ cost: Money) -> (counted: Money, outside: Money, unreported: Money) {
        let counted = part(counted, of: cost, atMost: cost)
        let rest = Money(units: cost.units &- counted.units)
        let unreported = outside == 0 ? rest : part(unreported, of: cost, atMost: rest)
        return (counted, Money(units: rest.units &- unreported.units), unreported)
    }

    private func part(_ times: UInt64, of cost: Money, atMost most: Money) -> Money {
        if times == 0 { return .zero }
        if times == ReportedPart.whole { return cost }
        let share = cost.share(times, of: ReportedPart.whole) ?? cost
        let hundredth = Money.scale / 100
        return Money(units: min(dividedHalfEven(share.units, by: hundredth) &* hundredth, most.units))
    }
}
