import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    private static var mostMonths: Int { 6 }

    /// The table of the latest months. The row of a month sums up the weeks of install that begin in it. Empty if there
    /// is only one month.
    var monthTable: HTML {
        let months = total.brought?.months ?? []
        guard months.count > 1 else { return "" }
        let isReturn = haveCosts(months)
        let what: Message = isReturn ? "Return on ad spend" : "Revenue of an install in \(currencyText)"
        var columns = [PageColumn(name: "Installs")]
        if isReturn { columns.append(PageColumn(name: "Cost")) }
        columns += horizons.map { horizon in
            PageColumn(name: "\(what), \(horizon.words)", horizon: (horizon, horizon == shownHorizon))
        }
        let table = PageTable(
            rowHead: "Month", caption: "By month of install; a week belongs to the month in which it begins",
            columns: columns)
        let rows = HTML.each([BroughtSpan](months.suffix(Report.mostMonths))) { month in
            table.row("\([UInt8](utcDay(month.start).utf8.prefix(7)))", cells(month, isReturn))
        }
        return "<section id=\"months\">\n\(table.head)\(rows)\(table.end)</section>\n"
    }
}
