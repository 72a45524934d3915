import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// Writes the estimates of all lines for each horizon, and sentences about what cannot be estimated.
    func writeEstimates(_ write: (HTML) -> Void) {
        write("<h2>All estimates</h2>\n")
        if let basis, let sentence = basis.organic.sentence(currencyText) { write("<p>\(sentence)</p>\n") }
        for sentence in estimateGaps(.campaign) { write("<p>\(sentence)</p>\n") }
        let worst: [ReportFigure] = shownEstimates.contains { $0.figure == .ifHidden } ? [.ifHidden] : []
        for (figure, _) in shownEstimates where figure != .ifHidden {
            writeEstimates(figure, figure == .estimatedRevenue ? worst : [], write)
        }
        if hasComparisons { writeComparisons(write) }
    }

    /// Writes the table of a figure, with a column for each horizon. `toDate`: further figures, each with a single
    /// column for the revenue to date.
    private func writeEstimates(_ figure: ReportFigure, _ toDate: [ReportFigure], _ write: (HTML) -> Void) {
        let shown = horizons.map { (figure, $0) } + toDate.map { ($0, Horizon.toDate) }
        let table = PageTable(
            rowHead: "Network, campaign, ad set", caption: figure.caption(currencyText),
            columns: horizons.map { PageColumn(name: "\($0.words)") }
                + toDate.map { PageColumn(name: $0.names.title.map { "\($0)" } ?? "") })
        let networks = networkNumbers
        write(table.head)
        for (place, line) in lines.enumerated() where line.hasInstallsToEstimate && !Ending.isEnding {
            // Ad sets have no return. Costs.swift says why.
            if figure == .estimatedReturn, line.paid.cost == nil { continue }
            let cells = shown.map { figure, horizon in
                line.brought.flatMap { figure.value($0.figures, line.paid.cost, horizon) }?.cell ?? PageCell(nil)
            }
            let title = line.titleHTML(isAlone: false)
            write(table.row(title, kind: line.level.kind, network: networks[place], cells))
        }
        write(table.end)
    }

    private func writeComparisons(_ write: (HTML) -> Void) {
        var columns = shownComparisons.map { PageColumn(name: $0.names.title.map { "\($0)" } ?? "") }
        columns.append(PageColumn(name: "Better than, with 80% or more", kind: "t"))
        let targeted: HTML = target.map { " The target is a return of \($0.words)." } ?? ""
        let table = PageTable(
            rowHead: dimension.title, caption: "How likely they are better than others", columns: columns)
        write("<p>\(comparisonCaption). The others are all other lines of this table together.\(targeted)</p>\n")
        write(table.head)
        for line in lines where !Ending.isEnding && line.isCompared {
            let figures = Figures(line.counts, .installs)
            let cells = shownComparisons.map { PageCell($0.value(line, figures)?.readable) }
            let isSum = line.level < .campaign
            write(
                table.row(
                    line.titleHTML(isAlone: true), kind: isSum ? "sum" : nil, cells + [PageCell(betterThan(line))]))
        }
        write(table.end)
    }
}

extension ReportFigure {
    fileprivate func caption(_ currency: Message) -> HTML {
        let money: Message = unit == .amount ? " in \(currency)" : ""
        let interval: Message = hasInterval ? ", with 95 % intervals" : ""
        return "\(names.title ?? "")\(money)\(interval)"
    }
}

extension FigureValue {
    /// The cell that shows the value: an estimate with its interval, both rounded to what the interval allows, or the
    /// reason why there is no estimate.
    fileprivate var cell: PageCell {
        switch self {
        case .estimate(let answer, let unit):
            let rounded = answer.figure?.rounded(unit)
            return PageCell(rounded?.estimate, below: rounded?.interval ?? answer.whyNot.map { "\($0.short)" })
        case .interval(let figure, let unit): return PageCell(figure.rounded(unit)?.interval)
        default: return PageCell(readable)
        }
    }
}

extension ReportLine {
    /// Whether the line has installs to estimate. A line without postbacks has none, nor has a line that only later
    /// windows report; the table of all counts shows these lines.
    fileprivate var hasInstallsToEstimate: Bool {
        if level == .total { return true }
        guard let brought else { return false }
        return Horizon.allCases.contains { brought[$0].whyNot != .noInstalls }
    }
}
