internal import SKANCommandOutput
internal import SKANCore

/// A column of the table, at the right end of so many places; nil is shown as a dash.
private struct TableColumn {
    let head: StaticString
    let width: Int
    let text: (ReportLine, Figures) -> Message?

    static func count(_ head: StaticString, _ count: @escaping (Figures) -> UInt64) -> TableColumn {
        TableColumn(head: head, width: 9) { _, figures in count(figures).readable }
    }

    static var reengagements: TableColumn { count("re-engag.") { $0.conversions[.reengagement] } }
    static var lost: TableColumn { count("not won") { $0.lost } }

    /// The share of hidden values in percent; the dash stands where digits end.
    static var hiddenShare: TableColumn {
        TableColumn(head: "hidden", width: 8) { _, figures in figures.hiddenPercent.map { "\($0)%" } ?? "- " }
    }
}

extension Report {
    /// The estimates, where there are some, are of installs: what re-engagements tell is extrapolated all the same.
    private func revenueColumns(_ group: ConversionGroup) -> [TableColumn] {
        guard hasRevenue else { return [] }
        var columns: [TableColumn] = []
        columns.append(
            TableColumn(head: "revenue min", width: 12) { _, figures in figures.least?.exactText.grouped })
        if isExtrapolated || group == .reengagements {
            columns.append(
                TableColumn(head: "extrapolated", width: 12) { _, figures in
                    figures.extrapolated?.readable(places: 2)
                })
        }
        return columns
    }

    private var costColumns: [TableColumn] {
        var columns: [TableColumn] = []
        guard hasCosts else { return columns }
        columns.append(TableColumn(head: "cost", width: 12) { line, _ in line.counts.cost?.exactText.grouped })
        columns.append(TableColumn(head: "CPI", width: 8) { line, _ in line.costPerInstall(places: 2)?.grouped })
        guard hasRevenue else { return columns }
        columns.append(TableColumn(head: "ROAS min", width: 8) { line, _ in line.returnOnAdSpendAtLeastPercent })
        guard isExtrapolated else { return columns }
        columns.append(
            TableColumn(head: "extrapolated", width: 12) { line, _ in line.returnOnAdSpendExtrapolatedPercent })
        return columns
    }

    /// Networks, campaigns and ad sets.
    func writeLines(_ deepest: ReportLevel, to table: inout TableText) {
        let installs = TableColumn.count("installs") { $0.conversions[.install] }
        let redownloads = TableColumn.count("redownl.") { $0.conversions[.redownload] }
        let counts = [installs, redownloads, .reengagements, .lost, .hiddenShare]
        write(counts + revenueColumns(.installs) + costColumns, .installs, deepest, to: &table)
    }

    /// What the table says of installs, once more of re-engagements.
    func writeReengagements(_ deepest: ReportLevel, to table: inout TableText) {
        table.append("\nre-engagements: their values are in no figure above\n")
        write(
            [.reengagements, .lost, .hiddenShare] + revenueColumns(.reengagements), .reengagements, deepest, to: &table)
    }

    private func write(
        _ columns: [TableColumn], _ group: ConversionGroup, _ deepest: ReportLevel, to table: inout TableText
    ) {
        let titles = titleColumns(deepest)
        table.writeHeads(dimension.word, titles, columns)
        for line in lines where line.level <= deepest && (group == .installs || line.counts.hasReengagements) {
            TableTitle(line).write(to: &table, columns: titles)
            table.write(columns, line, Figures(line.counts, group))
            if group == .installs, line.isCostPartial { table.append("  *") }
            table.endLine()
        }
    }

    func writeWindows(_ group: ConversionGroup, to table: inout TableText) {
        let winning = TableColumn.count("winning") { $0.winning }
        let fine = TableColumn.count("fine") { $0.fine }
        let coarse = TableColumn.count("coarse") { $0.coarse }
        let hidden = TableColumn.count("hidden") { $0.hidden }
        let columns = [winning, .lost, fine, coarse, hidden, .hiddenShare] + revenueColumns(group)
        table.endLine()
        table.writeHeads("window", 8, columns)
        for window in Window.all {
            table.left("\(window.rawValue)", 8)
            table.write(columns, total, Figures(total.counts, group, window))
            table.endLine()
        }
    }
}

extension TableText {
    fileprivate mutating func writeHeads(_ title: StaticString, _ width: Int, _ columns: [TableColumn]) {
        left("\(title)", width)
        for column in columns { right("\(column.head)", column.width) }
        endLine()
    }

    fileprivate mutating func write(_ columns: [TableColumn], _ line: ReportLine, _ figures: Figures) {
        for column in columns { right(column.text(line, figures), column.width) }
    }
}
