internal import CSKANSystem
internal import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

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

/// A row of the file.
private struct AppsFlyerRow {
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
    /// Money of all events.
    var isAllRevenue: Bool { event == allRevenue }
}

/// Reads AppsFlyer's file of rows. A row is a condition for a value, with ranges of money (min, max].
func importAppsFlyer(_ path: CText, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    var rows: [AppsFlyerRow] = []
    try withInput(path) { file, name throws(CommandEnd) in
        var reader = CSVReader(CSVInput(file), name: name)
        let columns = try readColumns(&reader, &imported)
        while try reader.readRow() { rows.append(try readRow(&reader, columns)) }
    }
    if request.currency == nil { imported.note("the file names no currency, USD is taken: say --currency") }
    for row in rows { imported.check(row, among: rows, request) }
    if imported.refusals.isEmpty || request.isPartial {
        for row in rows { imported.add(row, among: rows, request) }
    }
    imported.sortRules()
    return imported
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
    // Their ranges are other ones.
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

extension ImportedModel {
    /// Refuses what no real file was seen to have.
    fileprivate mutating func check(_ row: AppsFlyerRow, among rows: [AppsFlyerRow], _ request: ImportRequest) {
        if row.isLocking { refuse(row.place, "a lock of the window, whose meaning no real file has shown") }
        if row.coarse != nil { note("coarse values: no real file with them was seen") }
        if row.fine == nil, row.coarse == nil { refuse(row.place, "neither a conversion value nor a coarse value") }
        if row.fine != nil, row.window > 0 { refuse(row.place, "a fine value in window \(row.window)") }
        if row.hasRevenue, row.counter != WrittenRange(min: 0, max: 1), row.counter != WrittenRange() {
            refuse(row.place, "ranges of the counter and of revenue together, whose meaning no real file has shown")
        }
        if row.hasRevenue, row.event.isEmpty { refuse(row.place, "a range of revenue without an event") }
        guard request.sameValue == nil else { return }
        let others = rows.filter { $0.window == row.window && $0.line < row.line }
        if row.fine != nil, others.contains(where: { $0.fine == row.fine }) {
            refuse(
                row.place,
                "an earlier row has the conversion value \(row.fine ?? 0), too: say with --same-value what that means")
        } else if row.coarse != nil, row.fine == nil, others.contains(where: { $0.coarse == row.coarse }) {
            refuse(row.place, "an earlier row has this coarse value, too: say with --same-value what that means")
        }
    }

    fileprivate mutating func add(_ row: AppsFlyerRow, among rows: [AppsFlyerRow], _ request: ImportRequest) {
        guard !row.isLocking, let when = conditions(row, among: rows) else { return }
        if let fine = row.fine, row.window == 0 {
            model.windows[0].rules.add(WrittenRule(fine: fine, when: when), request)
        }
        guard let coarse = row.coarse else { return }
        let rule = WrittenRule(coarse: coarse, when: when)
        if row.window > 0 {
            model.windows[row.window].rules.add(rule, request)
        } else {
            var rules = model.windows[0].coarseRules ?? []
            rules.add(rule, request)
            model.windows[0].coarseRules = rules
        }
    }

    /// nil where it cannot be said, which was refused.
    private mutating func conditions(_ row: AppsFlyerRow, among rows: [AppsFlyerRow]) -> WrittenConditions? {
        var when = WrittenConditions()
        when.hours = row.hours
        if row.event.isEmpty { return when }
        if row.hasRevenue {
            // More than the last band counts as that band.
            let bands = rows.filter { $0.event == row.event && $0.window == row.window && $0.hasRevenue }
            let isLast = !bands.contains { ($0.revenue.max?.units ?? .max) > row.revenue.max?.units ?? .max }
            let range = WrittenRange(
                min: row.revenue.min.map(justAbove), max: isLast ? nil : row.revenue.max.map(justAbove))
            if row.isAllRevenue {
                when.revenue = [WrittenRevenue(axis: RevenueAxis(nil, lifetime: false), amount: range)]
            } else {
                guard let event = event(row.event, row.place) else { return nil }
                when.measures = [sum(of: event, range, isLifetime: false)]
            }
            return when
        }
        guard let event = event(row.event, row.place) else { return nil }
        if row.counter != WrittenRange() {
            note("counters without revenue are taken from min + 1 to max, both included: no real file was seen")
        }
        let count = WrittenRange(min: row.counter.min.map { $0 + 1 }, max: row.counter.max.map { $0 + 1 })
        when.events = [WrittenEvent(name: event, count: count)]
        return when
    }
}

extension [WrittenRule] {
    /// A rule beside the one of the same value, or, where all rows of a value have to hold, its conditions in that one.
    fileprivate mutating func add(_ rule: WrittenRule, _ request: ImportRequest) {
        guard request.sameValue == .all,
            let place = firstIndex(where: { $0.fine == rule.fine && $0.coarse == rule.coarse })
        else { return append(rule) }
        self[place].when.join(rule.when)
    }
}

extension WrittenConditions {
    /// Joins conditions that both have to hold; of two ranges of time, the part that they have in common.
    fileprivate mutating func join(_ other: WrittenConditions) {
        events += other.events
        revenue += other.revenue
        measures += other.measures
        guard let both = other.hours else { return }
        let least = [hours?.min, both.min].compactMap { $0 }.max()
        let most = [hours?.max, both.max].compactMap { $0 }.min()
        hours = WrittenRange(min: least, max: most)
    }
}
