import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// Writes the first table: each campaign with its cost, its return or revenue, and the verdict.
    func writeCampaigns(_ write: (HTML) -> Void) {
        let campaigns = numberedCampaigns
        guard !campaigns.isEmpty else { return }
        let columns = CampaignColumns(self, campaigns.map { $0.line })
        let heading: StaticString =
            switch dimension {
            case .campaign: "Campaigns"
            case .country: "Countries"
            case .sourceApp: "Source apps"
            }
        let table = PageTable(
            rowHead: dimension.title, caption: columns.caption, columns: columns.columns, isSortable: true)
        write("<h2>\(heading)</h2>\n\(table.head)")
        write(table.row("All", kind: "sum", columns.cells(total)))
        write(table.nextBody)
        for each in campaigns where !Ending.isEnding {
            let title = each.line.titleHTML(isAlone: true)
            write(table.row(title, network: each.network, columns.cells(each.line)))
        }
        write("\(table.end)\(leftOfCampaigns)")
    }
}

/// The columns of the first table, as far as the report has their figures.
private struct CampaignColumns {
    private let report: Report
    private let horizons: [Horizon]
    private let scale: WhiskerScale
    private let hasVerdicts: Bool

    init(_ report: Report, _ lines: [ReportLine]) {
        self.report = report
        let measure = report.measure
        horizons = measure == nil ? [] : measure?.isEstimated == true ? report.horizons : [report.shownHorizon]
        hasVerdicts = measure?.isEstimated == true && lines.contains { report.verdict($0) != nil }
        let figures = horizons.flatMap { horizon in
            ([report.total] + lines).compactMap { measure?.figure($0, horizon) }
        }
        scale = WhiskerScale(figures, report.measureMarks)
    }

    var caption: HTML {
        guard let measure = report.measure else { return "Installs and costs" }
        let unit: HTML = report.currency == nil ? "" : ", in \(report.currencyText)"
        return measure.isEstimated
            ? "Highest first\(unit); whiskers are 95 % intervals"
            : "Highest first\(unit); from what values prove, the dot, to what is extrapolated"
    }

    var columns: [PageColumn] {
        var columns = [PageColumn(name: "Installs", help: "Installs and redownloads that postbacks report")]
        if report.hasCosts {
            columns.append(PageColumn(name: "Cost"))
            columns.append(PageColumn(name: "CPI", help: "Cost per install or redownload"))
        }
        if let measure = report.measure {
            columns += horizons.map { horizon in
                let by: StaticString = !measure.isEstimated ? " at least" : horizon == .toDate ? " " : " by "
                let day: StaticString = measure.isEstimated ? horizon.words : ""
                return PageColumn(
                    name: "\(measure.name)\(by)\(day)", axis: scale.axis,
                    horizon: measure.isEstimated ? (horizon, horizon == report.shownHorizon) : nil, kind: "wide-figure")
            }
        }
        if hasVerdicts {
            columns.append(PageColumn(name: "Verdict by \(report.decidedHorizon.words)", kind: "t"))
        } else {
            columns.append(PageColumn(name: "Hidden values", help: "Installs whose value Apple left out"))
        }
        return columns
    }

    func cells(_ line: ReportLine) -> [PageCell] {
        var cells = [PageCell(count: line.counts.installsWithRedownloads)]
        if report.hasCosts {
            let places = report.total.counts.cost?.shownPlaces ?? 2
            cells.append(PageCell(line.counts.cost?.readable(places: places)))
            cells.append(PageCell(line.costPerInstall?.readable))
        }
        cells += horizons.map { measured(line, $0) }
        cells.append(hasVerdicts ? verdict(line) : hidden(line))
        return cells
    }

    private func measured(_ line: ReportLine, _ horizon: Horizon) -> PageCell {
        guard let measure = report.measure, let figure = measure.figure(line, horizon) else {
            let why = line.brought?[horizon].whyNot.map { "\($0.short)" as Message }
            return PageCell(nil, below: why, order: -1)
        }
        let drawing = scale.whisker(figure)
        guard measure.isEstimated else {
            let unit = measure.unit
            let extrapolated = unit.text(figure.high, places: unit == .share ? 1 : 2).map {
                "\($0) extrapolated" as Message
            }
            return PageCell(
                unit.text(figure.low, places: unit == .share ? 1 : 2), below: extrapolated, order: figure.low,
                drawing: drawing)
        }
        let rounded = figure.rounded(measure.unit)
        return PageCell(rounded?.estimate, below: rounded?.interval, order: figure.estimate, drawing: drawing)
    }

    private func verdict(_ line: ReportLine) -> PageCell {
        guard let verdict = report.verdict(line) else { return PageCell(nil, order: -1) }
        var cell = PageCell("", below: verdict.reason, order: order(line))
        cell.text = "<b class=\"\(verdict.judgement.kind)\">\(verdict.words)</b>"
        return cell
    }

    private func order(_ line: ReportLine) -> Double {
        line.brought?.targetChance ?? line.brought?.comparison?.chance ?? -1
    }

    private func hidden(_ line: ReportLine) -> PageCell {
        let value = ReportFigure.hiddenShare.value(line, Figures(line.counts, .installs))
        return PageCell(value?.readable)
    }
}

extension Verdict.Judgement {
    /// The HTML class of the verdict's words, which gives them a sign and a colour.
    fileprivate var kind: StaticString {
        switch self {
        case .good: "good"
        case .open: "open"
        case .bad: "bad"
        case .unknown: "none"
        }
    }
}
