internal import SKANCommandOutput
internal import SKANCore

/// The page's part on what campaigns brought.
extension Report {
    func writeBrought(_ basis: BroughtBasis, _ write: (HTML) -> Void) {
        write("<h2>What these installs brought, in \(currencyText): estimates</h2>\n<div class=\"charts\">\n")
        for horizon in Horizon.allCases { write(broughtChart(.network, "network", horizon)) }
        for horizon in Horizon.allCases { write(broughtChart(.campaign, "campaign", horizon)) }
        write("</div>\n")
        writeBroughtFigures(write)
        write("<h3>What this rests on</h3>\n")
        write("<ul>\n\(HTML.each(basis.sentences) { "<li>\($0)</li>\n" })</ul>\n")
        for sentence in basis.valueSentences { write("<p>\(sentence)</p>\n") }
        write("<p>Assumed:</p>\n<ul>\n\(HTML.each(BroughtBasis.assumptions) { "<li>\($0)</li>\n" })</ul>\n")
    }

    private func broughtChart(_ level: ReportLevel, _ what: StaticString, _ horizon: Horizon) -> HTML {
        let until: Message = horizon == .toDate ? "" : "until "
        let chart = Chart(
            id: "brought-\(what)-\(horizon.key)", title: "Brought \(until)\(horizon.words) by \(what)",
            description: """
                A bar for each line: the estimate, with a line from the lower to the upper end of its 95 % interval.
                """,
            labelHead: level == .network ? "Network" : "Campaign", series: ["estimate (95 % interval)"])
        return chartOfLargest(level, chart) { line in
            guard let answer = line.brought?[horizon] else { return [.unknown] }
            return [ChartFigure(answer)]
        }
    }

    private func writeBroughtFigures(_ write: (HTML) -> Void) {
        let table = broughtFigures
        write(table.head(currency: currencyText))
        for line in lines where !Ending.isEnding { write(table.row(line, isMarked: false)) }
        write(table.end)
    }

    private var broughtFigures: LineTable {
        var columns = Horizon.allCases.map { horizon in
            LineColumn(head: horizon.words) { line, _ in line.brought?[horizon].longText }
        }
        if hasCosts {
            columns += Horizon.allCases.map { horizon in
                LineColumn(head: horizon.returnHead) { line, _ in
                    line.brought?.returnOnAdSpend(horizon, line.paid.cost)?.longText(.share)
                }
            }
        }
        return LineTable(
            label: "What these installs brought", caption: "Estimates, with 95 % intervals", group: .installs,
            columns: columns)
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

extension ChartFigure {
    fileprivate init(_ answer: BroughtAnswer) {
        let figure = answer.figure
        self.init(size: max(figure?.estimate ?? 0, 0), text: answer.longText)
        interval = figure.map { (max($0.low, 0), max($0.high, 0)) }
    }
}
