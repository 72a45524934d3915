internal import SKANCommandOutput
internal import SKANCore

/// The page's part on the estimated revenue of installs.
extension Report {
    /// The estimate to date by campaign may stand beside the return on ad spend already.
    func writeEstimates(hasReturn: Bool, _ write: (HTML) -> Void) {
        let horizons: [Horizon] = hasReturn ? [.day35, .day7, .day2] : [.toDate, .day35, .day7, .day2]
        writeSection(
            "Estimated revenue in \(currencyText)",
            horizons.map { estimateChart(.campaign, "campaign", $0) } + [estimateChart(.network, "network", .toDate)],
            write)
        if let basis, let sentence = basis.organic.sentence(currencyText) { write("<p>\(sentence)</p>\n") }
        for warning in basis?.warnings ?? [] { write("<p><strong>Take care:</strong> \(warning.sentence)</p>\n") }
        for sentence in estimateGaps(.campaign) { write("<p>\(sentence)</p>\n") }
        writeBroughtFigures(write)
    }

    /// What the estimates rest on, and take for granted.
    func writeBasis(_ basis: BroughtBasis, _ write: (HTML) -> Void) {
        write("<h2>What the estimates rest on</h2>\n")
        write("<ul>\n\(HTML.each(basis.sentences) { "<li>\($0)</li>\n" })</ul>\n")
        for sentence in basis.valueSentences { write("<p>\(sentence)</p>\n") }
        write("<p>Assumed:</p>\n<ul>\n\(HTML.each(BroughtBasis.assumptions) { "<li>\($0)</li>\n" })</ul>\n")
    }

    func estimateChart(_ level: ReportLevel, _ what: StaticString, _ horizon: Horizon) -> Chart {
        let until: Message = horizon == .toDate ? "" : "until "
        let chart = Chart(
            id: "estimate-\(what)-\(horizon.key)", title: "Estimated revenue \(until)\(horizon.words) by \(what)",
            description: ChartSubject.ofIntervals, labelHead: level == .network ? "Network" : "Campaign",
            series: ["estimate (95 % interval)"])
        return chartOfLargest(level, chart, without: nil) { line in
            line.brought?[horizon].figure.map { [ChartFigure($0, .amount)] }
        }
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
        var columns = Horizon.allCases.map { horizon in
            LineColumn(head: horizon.words, .amount) { $0.brought?[horizon] }
        }
        if hasCosts {
            columns += Horizon.allCases.map { horizon in
                LineColumn(head: horizon.returnHead, .share) { line in
                    line.brought?.returnOnAdSpend(horizon, line.paid.cost).map { .figure($0) }
                }
            }
        }
        return LineTable(
            label: "Estimated revenue", caption: "Estimated revenue of these installs, with 95 % intervals",
            group: .installs,
            columns: columns)
    }
}

extension ReportLine {
    /// Later windows and campaigns without postbacks have no installs: they stand in the table of all figures.
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
        case .toDate: "Return on ad spend, to date"
        }
    }
}
