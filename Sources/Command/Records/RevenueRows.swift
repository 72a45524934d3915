import SKANCommandOutput
import SKANCore

/// The rows that show an install's revenue of one kind. There is a row for each currency, with a column for the
/// lifetime and, in SKAN 4, for each window.
struct RevenueRows {
    private let kind: RevenueKind
    private let revenue: RevenueTables
    private let tables: [RevenueTable]
    /// The currencies that occur in any of the tables, in ascending order.
    private let currencies: [Currency]

    private static var columnWidth: Int { 14 }

    init(_ state: InstallState, _ kind: RevenueKind) {
        self.kind = kind
        revenue = state.revenue
        var tables = [RevenueTable.lifetime(kind)]
        if state.conversion.protocolVersion == .skan4 { tables += Window.all.map { .window($0, kind) } }
        self.tables = tables
        currencies = RevenueRows.currencies(of: tables, in: state.revenue)
    }

    private static func currencies(of tables: [RevenueTable], in revenue: RevenueTables) -> [Currency] {
        var found: [Currency] = []
        for table in tables {
            revenue.withTotals(of: table) { totals in
                for index in totals.indices {
                    guard let currency = totals[index].currency else { continue }
                    let place = found.firstIndex { currency <= $0 } ?? found.count
                    if place == found.count || found[place] != currency { found.insert(currency, at: place) }
                }
            }
        }
        return found
    }

    func print() {
        let name: Message = kind == .iap ? "IAP revenue" : "ads revenue"
        if currencies.isEmpty { return StandardOutput.line("\(padded(name, to: TableRow.labelWidth))none") }
        StandardOutput.write("\n")
        printCells(name) { column in column == 0 ? "lifetime" : "window \(column - 1)" }
        for currency in currencies {
            printCells(Message(writing: currency.write)) { column in
                revenue.total(tables[column], currency).map { Message(writing: $0.write) } ?? "-"
            }
        }
    }

    private func printCells(_ label: Message, _ cell: (Int) -> Message) {
        var row = padded(label, to: TableRow.labelWidth)
        for column in tables.indices {
            row = "\(row) \(padded(cell(column), to: RevenueRows.columnWidth, atRight: true))"
        }
        StandardOutput.line(row)
    }
}
