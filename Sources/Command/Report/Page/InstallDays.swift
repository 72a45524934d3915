import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// Returns the chart of installs by the day on which their postbacks arrived, for reports without weeks of install.
/// Days without installs are included, unless a wrong clock has made them too many.
func installsOfDays(_ days: [ArrivalDay]) -> ColumnChart {
    var chart = ColumnChart(
        frame: ChartFrame(
            id: "installs", title: "Installs by the day their postback arrived",
            description: "A column for each day of arrival, from the first to the last that has installs."),
        labelHead: "Arrived", noteHead: "Installed, estimated", what: "Installs")
    guard let first = days.first, let last = days.last else { return chart }
    let hasAll = last.day - first.day <= chartedDays
    var next = first.day
    for day in days {
        while hasAll, next < day.day {
            chart.rows.append(ColumnChartRow(label: utcDay(next * Day.seconds), count: 0))
            next += 1
        }
        let label = utcDay(day.day * Day.seconds)
        chart.rows.append(ColumnChartRow(label: label, count: day.installs, note: rangeText(day.installed)))
        next = day.day + 1
    }
    for place in [0, chart.rows.count - 1] { chart.rows[place].tick = chart.rows[place].label }
    return chart
}

private var chartedDays: Int64 { 1100 }
