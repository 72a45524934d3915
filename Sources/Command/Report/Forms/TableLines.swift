import SKANCommandOutput
import SKANCommandRows
import SKANCore

/// Tables of lines and of windows, with figures in right-aligned columns. Unknown figures are shown as dashes.
extension Report {
    /// Writes the table of the total, networks, campaigns and ad sets.
    func writeLines(_ deepest: ReportLevel, to table: inout TableText) {
        write(.installs, deepest, to: &table)
    }

    /// Writes the same table as `writeLines`, for re-engagements instead of installs.
    func writeReengagements(_ deepest: ReportLevel, to table: inout TableText) {
        table.append("\nre-engagements: their values are in no figure above\n")
        write(.reengagements, deepest, to: &table)
    }

    private func write(_ group: ConversionGroup, _ deepest: ReportLevel, to table: inout TableText) {
        let titles = titleColumns(deepest)
        let shown = shownFigures(group)
        table.writeHeads(dimension.word, titles, shown)
        for line in lines where line.level <= deepest && (group == .installs || line.counts.hasReengagements) {
            TableTitle(line).write(to: &table, columns: titles)
            table.write(shown, line, Figures(line.counts, group))
            if group == .installs, line.isCostPartial { table.append("  *") }
            table.endLine()
        }
    }

    func writeWindows(_ group: ConversionGroup, to table: inout TableText) {
        let shown =
            [.winning, .notWinning, .fine, .coarse, .hidden, .hiddenShare] as [ReportFigure]
            + (Figures(total.counts, group).carried.illegal > 0 ? [.illegal] : []) + revenueFigures(group)
        table.endLine()
        table.writeHeads("window", 8, shown)
        for window in Window.all {
            table.left("\(window.rawValue)", 8)
            table.write(shown, total, Figures(total.counts, group, window))
            table.endLine()
        }
    }
}

extension TableText {
    fileprivate mutating func writeHeads(_ title: StaticString, _ width: Int, _ shown: [ReportFigure]) {
        left("\(title)", width)
        for figure in shown { right("\(figure.names.head ?? "")", figure.width) }
        endLine()
    }

    fileprivate mutating func write(_ shown: [ReportFigure], _ line: ReportLine, _ figures: Figures) {
        for figure in shown { right(figure.value(line, figures)?.readableInFull ?? figure.dash, figure.width) }
    }
}

extension ReportFigure {
    /// The width of the figure's column in characters.
    var width: Int {
        switch self {
        case .hiddenShare, .costPerInstall, .returnAtLeast: 8
        case .least, .extrapolated, .cost, .returnExtrapolated: 12
        case .estimatedRevenue, .estimatedReturn, .betterChance: 10
        case .ifHidden: 29
        case .targetChance: 18
        case .installsNeeded: 22
        default: 9
        }
    }

    /// The dash for an unknown figure, aligned with the last digits in the column. Hidden shares end with a percent
    /// sign, so their dash is followed by a space.
    fileprivate var dash: Message { self == .hiddenShare ? "- " : "-" }
}
