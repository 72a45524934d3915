import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// The weeks of arrival that the page shows for each campaign, and the two periods of whole weeks that it compares.
struct ShownWeeks {
    /// The numbers of the weeks that are shown: the latest ones, up to the last week that has installs.
    let all: Range<Int64>
    /// The numbers of the shown weeks that are over and whose postbacks are all in the report.
    private let whole: Range<Int64>

    private static var most: Int64 { 26 }
    private static var mostCompared: Int64 { 4 }

    /// nil if there are no installs. `filter`: its bounds can cut off a part of the first or last week. `madeAt`: the
    /// time at which the report is made, in Unix seconds.
    init?(_ weeks: ArrivalWeeks, _ filter: ReportFilter, madeAt: Int64) {
        guard let first = weeks.first, let last = weeks.last else { return nil }
        all = max(first, last - ShownWeeks.most + 1)..<last + 1
        let end = CalendarWeek.number(of: min(madeAt, filter.to ?? madeAt))
        let isFirstCut = filter.from.map { $0 > CalendarWeek.start(first) } ?? false
        let begin = max(all.lowerBound, isFirstCut ? first + 1 : first)
        whole = begin..<max(begin, min(all.upperBound, end))
    }

    /// The number of weeks in each of the two periods; 0 if there are fewer than two whole weeks.
    var compared: Int64 { min(ShownWeeks.mostCompared, Int64(whole.count) / 2) }
    /// The later period: the latest whole weeks.
    var latest: Range<Int64> { whole.upperBound - compared..<whole.upperBound }
    /// The earlier period: the same number of weeks, directly before `latest`.
    var before: Range<Int64> { latest.lowerBound - compared..<latest.lowerBound }

    func isWhole(_ week: Int64) -> Bool { whole.contains(week) }
}

/// Returns the first and the last day of the weeks: "2026-03-02 to 2026-03-29".
func daysText(_ weeks: Range<Int64>) -> Message {
    "\(utcDay(CalendarWeek.start(weeks.lowerBound))) to \(utcDay(CalendarWeek.start(weeks.upperBound) - Day.seconds))"
}
