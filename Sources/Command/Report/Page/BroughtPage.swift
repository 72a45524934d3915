internal import SKANCommandOutput
internal import SKANCore

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
        for warning in basis?.warnings ?? [] { write("<p><strong>Take care:</strong> \(warning.sentence)</p>\n") }
        for sentence in estimateGaps(.campaign) { write("<p>\(sentence)</p>\n") }
        writeBroughtFigures(write)
    }

    /// Writes the basis of the estimates and their assumptions.
    func writeBasis(_ basis: BroughtBasis, _ write: (HTML) -> Void) {
        write("<h2>What the estimates rest on</h2>\n")
        write("<ul>\n\(HTML.each(basis.sentences) { "<li>\($0)</li>\n" })</ul>\n")
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
                let unit: FigureUnit = haveCosts ? .share : .amount
                let answer = week.answer(horizon, isReturn: haveCosts)
                return tableCell(
                    answer?.figure?.longEstimate(unit),
                    below: answer?.figure?.longInterval(unit) ?? answer?.whyNot.map { "\($0.short)" })
            }
            write(
                """
                <tr><th scope="row">\(utcDay(week.start))</th>\(tableCell(week.installs.readable))\(cost)\(figures)</tr>

                """)
        }
        write("</tbody></table></div>\n")
    }

    private func writeComparisons(_ write: (HTML) -> Void) {
        var columns = [
            LineColumn(head: "Better than the others") { line, _ in line.betterChanceText },
            LineColumn(head: "Installs needed to decide, about") { line, _ in line.installsNeededText },
            LineColumn(head: "Better than, with 80% or more", hasNames: true) { line, _ in self.betterThan(line) },
        ]
        if target != nil {
            columns.insert(LineColumn(head: "Target reached") { line, _ in line.targetChanceText }, at: 0)
        }
        let table = LineTable(
            label: "Campaigns compared", caption: "How likely campaigns are better than others", group: .installs,
            columns: columns)
        write(
            "<p>\(comparisonCaption). The others are all other lines of this table together.\(target.map { " The target is a return of \($0.words)." as HTML } ?? "")</p>\n"
        )
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
        var columns = horizons.map { horizon in
            LineColumn(head: horizon.words, .amount) { $0.brought?[horizon] }
        }
        if hasCosts {
            columns += horizons.map { horizon in
                LineColumn(head: horizon.returnHead, .share) { line in
                    line.brought?.returnOnAdSpend(horizon, line.paid.cost).map { .figure($0) }
                }
            }
        }
        if lines.contains(where: { $0.brought?[.toDate].figure?.worst != nil }) {
            columns.append(
                LineColumn(head: "To date, if values were hidden for what they are") { line, _ in
                    line.brought?[.toDate].figure.flatMap { figure in
                        figure.worst.flatMap { BroughtFigure(figure.estimate, $0).longInterval(.amount) }
                    }
                })
        }
        return LineTable(
            label: "Estimated revenue", caption: "Estimated revenue of these installs, with 95 % intervals",
            group: .installs,
            columns: columns)
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

extension Horizon {
    fileprivate var returnHead: StaticString {
        switch self {
        case .day2: "Return on ad spend, day 2"
        case .day7: "Return on ad spend, day 7"
        case .day35: "Return on ad spend, day 35"
        case .day60: "Return on ad spend, day 60"
        case .day90: "Return on ad spend, day 90"
        case .day180: "Return on ad spend, day 180"
        case .toDate: "Return on ad spend, to date"
        }
    }
}
