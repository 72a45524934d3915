import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// Writes the charts and tables of installs and their revenue by week, and of revenue by the age of installs.
    func writeTrends(_ write: (HTML) -> Void) {
        guard tally.counted > 0 else { return }
        let weeks = total.brought?.weeks ?? []
        let hasWeeks = weeks.count > 1
        write("<h2>Trends</h2>\n<div class=\"charts\">\n")
        write(hasWeeks ? installsOfWeeks(weeks).html : installsOfDays(tally.days.days).html)
        if hasWeeks { for horizon in horizons { write(shown(weekTrend(weeks, horizon), horizon)) } }
        if let curves = cohortCurves { write(curves.html) }
        write("</div>\n\(monthTable)")
        if hasWeeks { write(weekTable(weeks)) }
        write(curveTable)
    }

    private func shown(_ chart: TrendChart?, _ horizon: Horizon) -> HTML {
        guard let chart else { return "" }
        return "<div\(shownOnly(horizon, isShown: horizon == shownHorizon))>\(chart.html)</div>\n"
    }

    private func installsOfWeeks(_ weeks: [BroughtSpan]) -> ColumnChart {
        var chart = ColumnChart(
            frame: ChartFrame(
                id: "installs", title: "Installs by week",
                description: """
                    A column for each week in which installs were made, from its Monday on. The figures are in the \
                    table “Figures by week of install”.
                    """),
            labelHead: "Week from", what: "Installs and redownloads", hasTable: false)
        let ticks = weekTicks(weeks.map { $0.start })
        for (week, tick) in zip(weeks, ticks) {
            chart.rows.append(ColumnChartRow(label: utcDay(week.start), count: week.installs, tick: tick))
        }
        return chart
    }
}
