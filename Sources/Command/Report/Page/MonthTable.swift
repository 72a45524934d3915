import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    private static var mostMonths: Int { 6 }

    /// The latest months, each with the weeks of install that begin in it; empty if there is but one.
    var monthTable: HTML {
        let months = total.brought?.months ?? []
        guard months.count > 1 else { return "" }
        let isReturn = haveCosts(months)
        let what: StaticString = isReturn ? "Return on ad spend" : "Revenue of an install"
        var columns = [PageColumn(name: "Installs")]
        if isReturn { columns.append(PageColumn(name: "Cost")) }
        columns += horizons.map { horizon in
            PageColumn(name: "\(what), \(horizon.words)", horizon: (horizon, horizon == shownHorizon))
        }
        let table = PageTable(
            rowHead: "Month", caption: "By the month in which the weeks of install begin", columns: columns)
        let rows = HTML.each([BroughtWeek](months.suffix(Report.mostMonths))) { month in
            var cells = [PageCell(count: month.installs)]
            if isReturn { cells.append(PageCell(month.cost?.readable(places: 0))) }
            cells += horizons.map { horizon in
                let rounded = figure(month, horizon, isReturn)?.rounded(isReturn ? .share : .amount)
                return PageCell(rounded?.estimate, below: rounded?.interval ?? "\(month.why(horizon))")
            }
            return table.row("\([UInt8](utcDay(month.start).utf8.prefix(7)))", cells)
        }
        return "<section id=\"months\">\n\(table.head)\(rows)\(table.end)</section>\n"
    }
}
