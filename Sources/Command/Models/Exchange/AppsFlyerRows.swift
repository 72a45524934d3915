import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The columns of AppsFlyer's file "conversion-studio-schema".
private enum AppsFlyerColumn: Int, CaseIterable {
    case app, value, event, minCounter, maxCounter, minRevenue, maxRevenue, minTime, maxTime, lastChange, index, coarse
    case lockType, lockTime

    var name: StaticString {
        switch self {
        case .app: "app_id"
        case .value: "conversion_value"
        case .event: "event_name"
        case .minCounter: "min_event_counter"
        case .maxCounter: "max_event_counter"
        case .minRevenue: "min_event_revenue"
        case .maxRevenue: "max_event_revenue"
        case .minTime: "min_time_post_install"
        case .maxTime: "max_time_post_install"
        case .lastChange: "last_config_change"
        case .index: "postback_sequence_index"
        case .coarse: "coarse_conversion_value"
        case .lockType: "lock_window_type"
        case .lockTime: "lock_window_time"
        }
    }
}

struct AppsFlyerRow {
    let line: UInt64
    let window: Int
    let fine: Int?
    let coarse: Int?
    let event: [UInt8]
    let counter: WrittenRange<Int64>
    let revenue: WrittenRange<Money>
    let hours: WrittenRange<Int64>?
    let isLocking: Bool

    var place: Message { "line \(line)" }
    var hasRevenue: Bool { revenue.min != nil || revenue.max != nil }
    /// Whether the row is about the money of all events.
    var isAllRevenue: Bool { event == allRevenue }
}

/// Unknown columns are noted in `imported`.
func readAppsFlyerRows(_ path: CText, _ imported: inout ImportedModel) throws(CommandEnd) -> [AppsFlyerRow] {
    var rows: [AppsFlyerRow] = []
    try withInput(path) { file, name throws(CommandEnd) in
        var reader = CSVReader(CSVInput(file), name: name)
        let columns = try readColumns(&reader, &imported)
        while try reader.readRow() { rows.append(try readRow(&reader, columns)) }
    }
    return rows
}

private func readColumns(
    _ reader: inout CSVReader, _ imported: inout ImportedModel
) throws(CommandEnd) -> [Int?] {
    guard try reader.readRow() else { throw .complaint(reader.name, "expected a line of column names, got nothing") }
    let columns = AppsFlyerColumn.allCases.map { column in
        reader.cells.firstIndex { $0.elementsEqual(column.name.bytes) }
    }
    for needed in [AppsFlyerColumn.value, .event, .minRevenue, .maxRevenue] where columns[needed.rawValue] == nil {
        throw .complaint(reader.name, "line 1: expected the column \(needed.name)")
    }
    // This is libskan's own row form, whose ranges have other bounds.
    if reader.cells.contains(where: { $0.elementsEqual(StaticString("condition").bytes) }) {
        throw .complaint(reader.name, "line 1: skan model export printed these rows: use --from rows-csv")
    }
    for cell in reader.cells where !AppsFlyerColumn.allCases.contains(where: { cell.elementsEqual($0.name.bytes) }) {
        imported.note("the column \"\(Message(utf8: cell))\" is not known, and not read")
    }
    return columns
}

private func readRow(_ reader: inout CSVReader, _ columns: [Int?]) throws(CommandEnd) -> AppsFlyerRow {
    let cells = reader.cells
    func cell(_ column: AppsFlyerColumn) -> [UInt8] {
        guard let place = columns[column.rawValue], place < cells.count else { return [] }
        return cells[place]
    }
    func wrong(_ column: AppsFlyerColumn, _ what: Message) -> CommandEnd {
        reader.fault(column: (columns[column.rawValue] ?? 0) + 1, "\(column.name): expected \(what)")
    }
    func whole(_ column: AppsFlyerColumn, _ most: Int64) throws(CommandEnd) -> Int64? {
        let text = cell(column)
        if text.isEmpty { return nil }
        guard let number = text.withUnsafeBytes({ DecimalNumber($0)?.integer }), number >= 0, number <= most else {
            throw wrong(column, "a whole number from 0 to \(most)")
        }
        return number
    }
    func amount(_ column: AppsFlyerColumn) throws(CommandEnd) -> Money? {
        let text = cell(column)
        if text.isEmpty { return nil }
        guard let amount = exactAmount(text) else { throw wrong(column, "a number with at most 12 places") }
        return amount
    }
    let most = Int64(UInt32.max) - 1
    var coarse: Int?
    if !cell(.coarse).isEmpty {
        coarse = coarseNumber(cell(.coarse))
        if coarse == nil { throw wrong(.coarse, "low, medium or high") }
    }
    let (minTime, maxTime) = (try whole(.minTime, most) ?? 0, try whole(.maxTime, most) ?? 0)
    let hours = WrittenRange<Int64>(min: minTime > 0 ? minTime : nil, max: maxTime > 0 ? maxTime : nil)
    return AppsFlyerRow(
        line: reader.line, window: Int(try whole(.index, 2) ?? 0), fine: try whole(.value, 63).map { Int($0) },
        coarse: coarse, event: cell(.event),
        counter: WrittenRange(min: try whole(.minCounter, most), max: try whole(.maxCounter, most)),
        revenue: WrittenRange(min: try amount(.minRevenue), max: try amount(.maxRevenue)),
        hours: hours == WrittenRange() ? nil : hours, isLocking: !cell(.lockType).isEmpty)
}
