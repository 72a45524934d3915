import CSKANSystem
import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// The ages at which the total has an estimate.
    private var ages: [Horizon] { Horizon.dated.filter { total.brought?[$0].figure != nil } }

    /// The chart of what installs earn by their age: a curve for all installs, and one for each of the campaigns with
    /// most installs; nil without estimates.
    var cohortCurves: TrendChart? {
        guard let measure, measure.isEstimated, ages.count > 1 else { return nil }
        var chart = TrendChart(
            frame: ChartFrame(
                id: "curves", title: "\(measure.name) by age of installs",
                description: """
                    Lines through the estimates at each age in days, of all installs, in a band of 95 % intervals, \
                    and of the campaigns with most installs. The figures are in the table “Figures by age of installs”.
                    """,
                remark: "The band is of all; intervals of campaigns are in the table."),
            unit: measure.unit)
        var all = curve(total, measure, name: "All")
        all.hasBand = true
        chart.series = [all]
        for line in drawnCampaigns {
            chart.series.append(curve(line, measure, name: Message(utf8: line.titleParts.title)))
        }
        chart.series.removeAll { $0.points.count < 2 }
        chart.marks = measureMarks
        chart.ticks = ages.map { (place($0), "\(Int($0.days))") }
        return chart.series.isEmpty ? nil : chart
    }

    /// The largest campaigns, in the order of the first table.
    private var drawnCampaigns: [ReportLine] {
        let ranked = rankedCampaigns.filter { line in
            ages.count { measure?.figure(line, $0) != nil } > 1
        }
        let sizes = ranked.map { $0.counts.installsWithRedownloads }.sorted(by: >)
        let least = sizes.dropFirst(drawnCurves - 1).first ?? 0
        return [ReportLine](ranked.filter { $0.counts.installsWithRedownloads >= least }.prefix(drawnCurves))
    }

    private func curve(_ line: ReportLine, _ measure: CampaignMeasure, name: Message) -> TrendSeries {
        var series = TrendSeries(name: name)
        for age in ages {
            guard let figure = measure.figure(line, age) else { continue }
            let text = figure.rounded(measure.unit)?.text ?? ""
            series.points.append(
                TrendPoint(place: place(age), figure: figure, label: "\(name) by \(age.words): \(text)"))
        }
        return series
    }

    /// Returns 0 to 1 on a logarithmic axis from the first age to the last.
    private func place(_ age: Horizon) -> Double {
        guard let first = ages.first, let last = ages.last, first != last else { return 0 }
        let from = logarithm(first)
        return (logarithm(age) - from) / (logarithm(last) - from)
    }

    /// The table with the chart's figures for all campaigns; empty without estimates.
    var curveTable: HTML {
        guard let measure, measure.isEstimated, !ages.isEmpty else { return "" }
        let columns = ages.map { PageColumn(name: "\($0.words)") }
        let unit: HTML = measure.isReturn ? "" : " in \(currencyText)"
        let table = PageTable(
            rowHead: dimension.title, caption: "\(measure.name)\(unit) by age of installs", columns: columns)
        func cells(_ line: ReportLine) -> [PageCell] {
            ages.map { age in
                let rounded = measure.figure(line, age)?.rounded(measure.unit)
                return PageCell(rounded?.estimate, below: rounded?.interval ?? line.why(age))
            }
        }
        let rows = HTML.each(numberedCampaigns) { each in
            table.row(each.line.titleHTML(isAlone: true), network: each.network, cells(each.line))
        }
        return """
            <details class="data"><summary>Figures by age of installs</summary>\(table.head)\
            \(table.row("All", kind: "sum", cells(total)))\(rows)\(table.end)</details>

            """
    }
}

extension ReportLine {
    fileprivate func why(_ horizon: Horizon) -> Message? { brought?[horizon].whyNot.map { "\($0.short)" } }
}

/// The maximum number of campaigns that have a curve.
private var drawnCurves: Int { 5 }

private func logarithm(_ age: Horizon) -> Double { log(Double(age.days)) }
