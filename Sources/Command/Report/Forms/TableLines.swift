internal import SKANCommandOutput
internal import SKANCore

extension Report {
    /// Networks, campaigns and ad sets.
    func writeLines(_ deepest: ReportLevel, to table: inout TableText) {
        let columns = titleColumns(deepest)
        let hasReturn = hasRevenue && hasCosts
        table.left("campaign", columns)
        for head in ["installs", "redownl.", "re-engag.", "not won"] as [StaticString] { table.right("\(head)", 9) }
        table.right("hidden", 8)
        if hasRevenue { table.writeRevenueHeads() }
        if hasCosts {
            table.right("cost", 12)
            table.right("CPI", 8)
        }
        if hasReturn {
            table.right("ROAS min", 8)
            table.right("estimate", 8)
        }
        table.endLine()
        for line in lines where line.level <= deepest { write(line, columns, to: &table) }
    }

    private func write(_ line: ReportLine, _ columns: Int, to table: inout TableText) {
        let figures = Figures(line.counts, .installs)
        TableTitle(line).write(to: &table, columns: columns)
        table.right(figures.conversions[.install], 9)
        table.right(figures.conversions[.redownload], 9)
        table.right(figures.conversions[.reengagement], 9)
        table.right(figures.lost, 9)
        table.percent(figures.hiddenPercent)
        if hasRevenue { table.writeRevenue(figures) }
        if hasCosts {
            table.right(line.counts.cost?.exactText, 12)
            table.right(line.costPerInstall(places: 2), 8)
        }
        if hasRevenue, hasCosts {
            table.right(line.returnOnAdSpendAtLeast(places: 2), 8)
            table.right(line.returnOnAdSpendEstimate(places: 2), 8)
        }
        if line.isCostPartial { table.append("  *") }
        table.endLine()
    }

    /// What the table says of installs, once more of re-engagements.
    func writeReengagements(_ deepest: ReportLevel, to table: inout TableText) {
        let columns = titleColumns(deepest)
        table.append("\nre-engagements: their values are in no figure above\n")
        table.left("campaign", columns)
        table.right("re-engag.", 9)
        table.right("not won", 9)
        table.right("hidden", 8)
        if hasRevenue { table.writeRevenueHeads() }
        table.endLine()
        for line in lines where line.level <= deepest && line.counts.hasReengagements {
            let figures = Figures(line.counts, .reengagements)
            TableTitle(line).write(to: &table, columns: columns)
            table.right(figures.conversions[.reengagement], 9)
            table.right(figures.lost, 9)
            table.percent(figures.hiddenPercent)
            if hasRevenue { table.writeRevenue(figures) }
            table.endLine()
        }
    }

    func writeWindows(_ group: ConversionGroup, to table: inout TableText) {
        table.endLine()
        table.left("window", 8)
        for head in ["winning", "not won", "fine", "coarse", "hidden"] as [StaticString] { table.right("\(head)", 9) }
        table.right("hidden", 8)
        if hasRevenue { table.writeRevenueHeads() }
        table.endLine()
        for window in Window.all {
            let figures = Figures(total.counts, group, window)
            table.left("\(window.rawValue)", 8)
            for count in [figures.winning, figures.lost, figures.fine, figures.coarse, figures.hidden] {
                table.right(count, 9)
            }
            table.percent(figures.hiddenPercent)
            if hasRevenue { table.writeRevenue(figures) }
            table.endLine()
        }
    }
}

extension TableText {
    fileprivate mutating func writeRevenueHeads() {
        right("revenue min", 12)
        right("estimate", 12)
    }

    fileprivate mutating func writeRevenue(_ figures: Figures) {
        right(figures.least?.exactText, 12)
        right(figures.estimate?.text(places: 2), 12)
    }
}
