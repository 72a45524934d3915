import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// Whether a return on ad spend can be shown. Costs without dates belong to no week.
    func haveCosts(_ weeks: [BroughtSpan]) -> Bool { weeks.contains { $0.cost != nil } }

    /// Returns the chart of the return on ad spend by week of install, or of the revenue per install if costs have no
    /// dates; nil if no week has an estimate.
    func weekTrend(_ weeks: [BroughtSpan], _ horizon: Horizon) -> TrendChart? {
        let isReturn = haveCosts(weeks)
        let what: StaticString = isReturn ? "Return on ad spend" : "Revenue of an install"
        var chart = TrendChart(
            frame: ChartFrame(
                id: "weeks-\(horizon.key)", title: "\(what) by week, \(horizon.words)",
                description: """
                    A line through the estimates of the weeks of install, in a band of their 95 % intervals. The \
                    figures are in the table “Figures by week of install”.
                    """,
                remark: horizon == .toDate ? nil : "Rings: installs too young for \(horizon.words), and forecast."),
            unit: isReturn ? .share : .amount)
        var series = TrendSeries(name: "all", hasBand: true)
        let last = Double(max(weeks.count - 1, 1))
        for (place, week) in weeks.enumerated() {
            guard let figure = figure(week, horizon, isReturn) else { continue }
            let text = figure.rounded(chart.unit)?.text ?? ""
            series.points.append(
                TrendPoint(
                    place: Double(place) / last, figure: figure, label: "Week from \(utcDay(week.start)): \(text)",
                    isForecast: horizon.isAhead(of: week, at: madeAt)))
        }
        guard !series.points.isEmpty else { return nil }
        chart.series = [series]
        chart.marks = isReturn ? measureMarks : []
        for (place, tick) in weekTicks(weeks.map { $0.start }).enumerated() {
            if let tick { chart.ticks.append((Double(place) / last, tick)) }
        }
        return chart
    }

    /// Returns the return on ad spend of a week or, unless `isReturn`, the revenue per install; nil without an
    /// estimate.
    private func figure(_ week: BroughtSpan, _ horizon: Horizon, _ isReturn: Bool) -> BroughtFigure? {
        if isReturn { return week.brought.returnOnAdSpend(horizon, week.cost) }
        guard week.installs > 0, let figure = week.brought[horizon].figure else { return nil }
        let installs = Double(week.installs)
        return BroughtFigure(figure.estimate / installs, (figure.low / installs, figure.high / installs))
    }

    func weekTable(_ weeks: [BroughtSpan]) -> HTML {
        let isReturn = haveCosts(weeks)
        var columns = [PageColumn(name: "Installs")]
        if isReturn { columns.append(PageColumn(name: "Cost")) }
        columns += horizons.map { PageColumn(name: "\($0.words)") }
        let what: HTML = isReturn ? "Return on ad spend" : "Revenue of an install in \(currencyText)"
        let table = PageTable(rowHead: "Week from", caption: "\(what) by week of install", columns: columns)
        let rows = HTML.each(weeks) { week in
            table.row("\(utcDay(week.start))", cells(week, isReturn))
        }
        return """
            <details class="data"><summary>Figures by week of install</summary>\
            \(table.head)\(rows)\(table.end)</details>

            """
    }

    /// Returns the cells of a week or month: its installs, and for each horizon their revenue per install. If
    /// `isReturn`, the cost follows the installs, and the return on ad spend is shown instead of the revenue.
    func cells(_ span: BroughtSpan, _ isReturn: Bool) -> [PageCell] {
        var cells = [PageCell(count: span.installs)]
        if isReturn { cells.append(PageCell(span.cost.flatMap { $0.readable(places: $0.shownPlaces) })) }
        return cells
            + horizons.map { horizon in
                let rounded = figure(span, horizon, isReturn)?.rounded(isReturn ? .share : .amount)
                return PageCell(rounded?.estimate, below: rounded?.interval ?? "\(span.why(horizon))")
            }
    }
}

extension BroughtSpan {
    /// Empty if there is an estimate.
    fileprivate func why(_ horizon: Horizon) -> StaticString { brought[horizon].whyNot?.short ?? "" }
}

extension Horizon {
    /// Returns whether some installs of a week have not reached this horizon yet.
    fileprivate func isAhead(of week: BroughtSpan, at now: Int64) -> Bool {
        self != .toDate && week.start + (7 + days) * Day.seconds > now
    }
}

/// Returns the label below each week; nil for a week without one. Up to four weeks are labelled with the days on which
/// they begin. Of more weeks, the first of a month is labelled with the month; there are at most eight labels.
func weekTicks(_ starts: [Int64]) -> [Message?] {
    if starts.count <= 4 { return starts.map { utcDay($0) } }
    let months = starts.map { [UInt8](utcDay($0).utf8.prefix(7)) }
    var firsts: [Int] = []
    for (place, month) in months.enumerated() where place == 0 || months[place - 1] != month { firsts.append(place) }
    // If the first month has only one or two weeks here, its label would overlap that of the second month.
    if firsts.count > 1, firsts[1] < 3 { firsts.removeFirst() }
    let step = (firsts.count + 7) / 8
    var ticks = [Message?](repeating: nil, count: starts.count)
    for place in stride(from: 0, to: firsts.count, by: max(step, 1)) {
        ticks[firsts[place]] = Message(utf8: months[firsts[place]])
    }
    return ticks
}
