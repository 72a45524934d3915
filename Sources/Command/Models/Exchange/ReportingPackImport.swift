import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// Imports the schema table of Google's App Reporting Pack.
func importReportingPack(_ path: CText, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    var apps: [[UInt8]] = []
    try withInput(path) { file, name throws(CommandEnd) in
        var reader = CSVReader(CSVInput(file), name: name)
        let columns = try readColumns(&reader, &imported)
        while try reader.readRow() {
            guard let row = try readRow(reader, columns, &imported) else { continue }
            if let asked = request.app, row.app != asked { continue }
            if !apps.contains(row.app) { apps.append(row.app) }
            imported.add(row, "line \(reader.line)", request)
        }
        if apps.count > 1 {
            let (first, second) = (Message(utf8: apps[0]), Message(utf8: apps[1]))
            throw .complaint(name, "the rows are of several apps, \(first) and \(second) among them: say --app-id")
        }
        if apps.isEmpty, let asked = request.app {
            throw .complaint(name, "no row is of the app \(Message(utf8: asked))")
        }
    }
    if request.currency == nil { imported.note("the table names no currency, USD is taken: say --currency") }
    if imported.model.id.isEmpty, let app = apps.first { imported.model.id = app }
    imported.sortRules()
    return imported
}

private func readColumns(_ reader: inout CSVReader, _ imported: inout ImportedModel) throws(CommandEnd) -> [Int] {
    guard try reader.readRow() else { throw .complaint(reader.name, "expected a line of column names, got nothing") }
    var columns: [Int] = []
    for column in ReportingPackColumn.allCases {
        guard let place = reader.cells.firstIndex(where: { $0.elementsEqual(column.name.bytes) }) else {
            throw .complaint(reader.name, "line 1: expected the column \(column.name)")
        }
        columns.append(place)
    }
    for (place, cell) in reader.cells.enumerated() where !columns.contains(place) {
        imported.note("the column \"\(Message(utf8: cell))\" is not known, and not read")
    }
    return columns
}

/// nil for the placeholder row of an app without a schema.
private func readRow(
    _ reader: borrowing CSVReader, _ columns: [Int], _ imported: inout ImportedModel
) throws(CommandEnd) -> ReportingPackRow? {
    let cells = reader.cells
    func cell(_ column: ReportingPackColumn) -> [UInt8] {
        let place = columns[column.rawValue]
        return place < cells.count ? cells[place] : []
    }
    let line = reader.line
    let name = reader.name
    func wrong(_ column: ReportingPackColumn, _ what: Message) -> CommandEnd {
        .complaint(
            name, "line \(line), column \(columns[column.rawValue] + 1): \(column.name): expected \(what)")
    }
    func whole(_ column: ReportingPackColumn, _ most: Int64) throws(CommandEnd) -> Int64 {
        let number = cell(column).withUnsafeBytes { DecimalNumber($0)?.integer }
        guard let number, number >= 0, number <= most else { throw wrong(column, "a whole number from 0 to \(most)") }
        return number
    }
    func amount(_ column: ReportingPackColumn) throws(CommandEnd) -> Money {
        if cell(column).isEmpty { return .zero }
        guard let amount = exactAmount(cell(column)) else { throw wrong(column, "a number with at most 12 places") }
        return amount
    }
    let row = ReportingPackRow(
        app: cell(.app), fine: Int(try whole(.value, 63)), count: try whole(.count, Int64(UInt32.max) - 1),
        low: try amount(.low), high: try amount(.high), event: cell(.event))
    if try amount(.mean) != row.middle {
        imported.note("skan_event_value_mean is not the middle of its range in every row; it is not read")
    }
    if row.event.isEmpty, row.count == 0 {
        imported.note("a row without an event is left out, since it is a placeholder")
        return nil
    }
    return row
}

extension ImportedModel {
    /// Adds a row as a rule. With `--same-value all`, adds it as a condition to an earlier rule for the same value
    /// instead.
    fileprivate mutating func add(_ row: ReportingPackRow, _ place: Message, _ request: ImportRequest) {
        if request.sameValue == nil, model.windows[0].rules.contains(where: { $0.fine == row.fine }) {
            return refuse(
                place, "an earlier row has the conversion value \(row.fine), too: say with --same-value what that means"
            )
        }
        if row.event.isEmpty { return refuse(place, "no event") }
        if row.hasMoney, row.low.units >= row.high.units {
            return refuse(place, "a range of money that ends where it begins")
        }
        guard let event = event(row.event, place) else { return }
        var when = WrittenConditions()
        if row.hasMoney {
            note("whether skan_event_value_high belongs to its range is not known, here it does not")
            when.measures = [sum(of: event, WrittenRange(min: row.low, max: row.high), isLifetime: false)]
        }
        // A sum above 0 says that the event occurred.
        if !row.hasMoney || row.count > 1 || row.low.units <= 0 {
            when.events = [WrittenEvent(name: event, count: WrittenRange(min: row.count > 1 ? row.count : nil))]
        }
        model.windows[0].rules.add(WrittenRule(fine: row.fine, when: when), request)
    }
}
