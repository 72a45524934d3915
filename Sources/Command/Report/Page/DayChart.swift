import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Installs by the day on which their postbacks arrived.
    var daysChart: Chart {
        var chart = chartOfDays(tally.days.days)
        chart.labelledEach = chart.rows.count
        return chart
    }
}

/// Makes the chart of days in order. Days without installs are included, unless a wrong clock makes them too many.
func chartOfDays(_ days: [ArrivalDay]) -> Chart {
    var chart = Chart(
        id: "days", title: "Installs by the day their postback arrived",
        description: "Columns: installs by day of arrival, from the first to the last day that has any.",
        labelHead: "Arrived", noteHead: "Installed, estimated", series: ["installs"])
    guard let first = days.first, let last = days.last else { return chart }
    let hasAll = last.day - first.day <= chartedDays
    var next = first.day
    for day in days {
        while hasAll, next < day.day {
            chart.rows.append(dayRow(next, installs: 0, installed: nil))
            next += 1
        }
        chart.rows.append(dayRow(day.day, installs: day.installs, installed: day.installed))
        next = day.day + 1
    }
    return chart
}

private var chartedDays: Int64 { 1100 }

private func dayRow(_ day: Int64, installs: UInt64, installed: EstimatedDates?) -> ChartRow {
    ChartRow(
        label: utcDay(day * Day.seconds), figures: [ChartFigure(count: installs)],
        note: installed.map(rangeText))
}

/// "2026-01-28 to 2026-01-29; to 2026-01-31 if locked".
func rangeText(_ dates: EstimatedDates) -> Message {
    "\(utcDay(dates.from)) to \(utcDay(dates.untilUnlocked)); to \(utcDay(dates.until)) if locked"
}
