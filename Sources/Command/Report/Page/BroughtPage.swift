import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// The part of the page about the estimated revenue of installs.
extension Report {
    /// `hasReturn`: the estimates to date by campaign are shown next to the return on ad spend already.
    func writeEstimates(hasReturn: Bool, _ write: (HTML) -> Void) {
        let charts = (hasReturn ? [] : [.toDate]) + Horizon.ofWindows.reversed()
        writeSection(
            "Estimated revenue in \(currencyText)",
            charts.map { estimateChart(.campaign, dimension.word, $0) }
                + [estimateChart(.network, "network", .toDate)],
            write)
        writeWeeks(write)
        if hasComparisons { writeComparisons(write) }
        if let basis, let sentence = basis.organic.sentence(currencyText) { write("<p>\(sentence)</p>\n") }
        for warning in basis?.warnings ?? [] {
            write("<p><strong>Take care:</strong> \(warning.sentence(networkTitles))</p>\n")
        }
        for sentence in estimateGaps(.campaign) { write("<p>\(sentence)</p>\n") }
        writeBroughtFigures(write)
    }

    /// Writes the basis of the estimates and their assumptions.
    func writeBasis(_ basis: BroughtBasis, _ write: (HTML) -> Void) {
        write("<h2>What the estimates rest on</h2>\n")
        write("<ul>\n\(HTML.each(basis.sentences(installsStore)) { "<li>\($0)</li>\n" })</ul>\n")
        for sentence in basis.valueSentences { write("<p>\(sentence)</p>\n") }
        write("<p>Assumed:</p>\n<ul>\n\(HTML.each(BroughtBasis.assumptions) { "<li>\($0)</li>\n" })</ul>\n")
    }

    func estimateChart(_ level: ReportLevel, _ what: StaticString, _ horizon: Horizon) -> Chart {
        let until: Message = horizon == .toDate ? "" : "until "
        let chart = Chart(
            id: "estimate-\(level == .network ? "network" : "campaign" as StaticString)-\(horizon.key)",
            title: "Estimated revenue \(until)\(horizon.words) by \(what)",
            description: ChartSubject.ofIntervals, labelHead: level == .network ? "Network" : dimension.title,
            series: ["estimate (95 % interval)"])
        return chartOfLargest(level, chart, without: nil) { line in
            line.brought?[horizon].figure.map { [ChartFigure($0, .amount)] }
        }
    }

    /// Writes the estimated revenue by week of install, or the return on ad spend if costs have dates.
    private func writeWeeks(_ write: (HTML) -> Void) {
        guard let weeks = total.brought?.weeks, weeks.count > 1 else { return }
        let haveCosts = weeks.contains { $0.cost != nil }
        let what: HTML = haveCosts ? "Return on ad spend" : "Estimated revenue in \(currencyText)"
        var heads: [StaticString] = ["Week from", "Installs and redown\u{AD}loads"]
        if haveCosts { heads.append("Cost") }
        heads += horizons.map { $0.words }
        write(
            """
            <div class="wide" role="region" aria-label="Weeks of install" tabindex="0"><table>\
            <caption>\(what) by week of install, with 95 % intervals</caption>\
            <thead><tr>\(tableHeads(heads))</tr></thead><tbody>

            """)
        for week in weeks where !Ending.isEnding {
            let cost: HTML = haveCosts ? tableCell(week.cost?.readable(places: 2)) : ""
            let figures = HTML.each(horizons) { horizon in
                let figure = haveCosts ? ReportFigure.estimatedReturn : .estimatedRevenue
                let value = figure.value(week.brought, week.cost, horizon)
                return tableCell(value?.readable, below: value?.readableBelow)
            }
            write(
                """
                <tr><th scope="row">\(utcDay(week.start))</th>\(tableCell(week.installs.readable))\(cost)\(figures)</tr>

                """)
        }
        write("</tbody></table></div>\n")
    }

    private func writeComparisons(_ write: (HTML) -> Void) {
        var columns = shownComparisons.map(LineColumn.init)
        columns.append(
            LineColumn(head: "Better than, with 80% or more", hasNames: true) { line, _ in self.betterThan(line) })
        let table = LineTable(
            label: "Campaigns compared", caption: "How likely campaigns are better than others", group: .installs,
            columns: columns)
        let targeted = target.map { " The target is a return of \($0.words)." as HTML } ?? ""
        write("<p>\(comparisonCaption). The others are all other lines of this table together.\(targeted)</p>\n")
        write(table.head(currency: ""))
        for line in lines where !Ending.isEnding && line.isCompared { write(table.row(line, isMarked: false)) }
        write(table.end)
    }

    private func writeBroughtFigures(_ write: (HTML) -> Void) {
        let table = broughtFigures
        write(table.head(currency: currencyText))
        for line in lines where !Ending.isEnding && line.hasInstallsToEstimate {
            write(table.row(line, isMarked: false))
        }
        write(table.end)
    }

    private var broughtFigures: LineTable {
        let columns = shownEstimates.flatMap { figure, _, horizons in
            horizons.map { LineColumn(figure, $0, isAlone: horizons.count == 1) }
        }
        return LineTable(
            label: "Estimated revenue", caption: "Estimated revenue of these installs, with 95 % intervals",
            group: .installs, columns: columns)
    }
}

extension LineColumn {
    /// An estimate until a horizon, which the head names unless it is the only one.
    fileprivate init(_ figure: ReportFigure, _ horizon: Horizon, isAlone: Bool) {
        var head: Message = "\(horizon.words)"
        if let title = figure.names.title { head = isAlone ? "\(title)" : "\(title), \(horizon.words)" }
        self.init(head: head) { line in
            line.brought.flatMap { figure.value($0.figures, line.paid.cost, horizon) }
        }
    }
}

extension ReportLine {
    /// Whether the line has installs to estimate. Later windows and campaigns without postbacks have none; the table of
    /// all figures shows them.
    fileprivate var hasInstallsToEstimate: Bool {
        if level == .total { return true }
        guard let brought else { return false }
        return Horizon.allCases.contains { brought[$0].whyNot != .noInstalls }
    }
}
