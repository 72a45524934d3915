import CSKANSystem
import SKANCommandOutput
import SKANCore
import SKANSystem

/// The columns of the row form that are read. All other columns only repeat parts of the condition.
private enum RowColumn: Int, CaseIterable {
    case fine, window, coarse, lock, rule, condition

    var name: StaticString {
        switch self {
        case .fine: "conversion_value"
        case .window: "postback_sequence_index"
        case .coarse: "coarse_conversion_value"
        case .lock: "lock_window_type"
        case .rule: "rule"
        case .condition: "condition"
        }
    }
}

/// Imports the row form as comma-separated values, as `skan model export --csv` prints it. There is a line for each
/// condition of a rule, or one line for a rule without conditions.
func importRowTable(_ path: CText, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    var reading = RowTableReading()
    try withInput(path) { file, name throws(CommandEnd) in
        var reader = CSVReader(CSVInput(file), name: name)
        try reading.readColumns(&reader)
        while try reader.readRow() { try reading.read(reader, &imported) }
    }
    imported.note("the file has no id, currency, rates and protocol: --id and --currency say two of them")
    imported.note("the file does not say whether values only rise: they do if they ascend")
    for rule in reading.rulesInOrder { imported.add(rule.rule, window: rule.window) }
    imported.model.raiseOnly = imported.model.windows.allSatisfy {
        $0.rules.ascend && ($0.coarseRules ?? []).ascend
    }
    return imported
}

/// A rule, whose lines can be anywhere in the file.
private struct TableRule {
    let window: Int
    let number: Int64
    /// The number of the rule's first line.
    let line: UInt64
    var rule: WrittenRule

    /// Whether the other rule has the same number in the same list of rules.
    func isSame(as other: TableRule) -> Bool {
        window == other.window && number == other.number && isOfCoarseRules == other.isOfCoarseRules
    }

    /// Whether the rule is one of window 0's coarse rules, which are a list of their own beside the rules for fine
    /// values.
    private var isOfCoarseRules: Bool { window == 0 && rule.fine == nil }

    func hasValue(of other: TableRule) -> Bool {
        rule.fine == other.rule.fine && rule.coarse == other.rule.coarse
            && rule.locksWindow == other.rule.locksWindow
    }
}

private struct RowTableReading {
    private var rules: [TableRule] = []
    private var columns: [Int] = []

    /// The rules of each list, sorted by number, because the rule with the highest number that holds wins.
    var rulesInOrder: [TableRule] { rules.sorted { ($0.window, $0.number) < ($1.window, $1.number) } }

    mutating func readColumns(_ reader: inout CSVReader) throws(CommandEnd) {
        guard try reader.readRow() else {
            throw .complaint(reader.name, "expected a line of column names, got nothing")
        }
        for column in RowColumn.allCases {
            guard let place = reader.cells.firstIndex(where: { $0.elementsEqual(column.name.bytes) }) else {
                throw .complaint(reader.name, "line 1: expected the column \(column.name)")
            }
            columns.append(place)
        }
    }

    /// Adds a line to its rule, or starts a rule with it.
    mutating func read(_ reader: borrowing CSVReader, _ imported: inout ImportedModel) throws(CommandEnd) {
        var rule = WrittenRule()
        let window = Int(try whole(.window, 2, reader) ?? 0)
        rule.fine = try whole(.fine, 63, reader).map { Int($0) }
        let coarse = cell(.coarse, reader)
        rule.coarse = coarseNumber(coarse)
        if rule.coarse == nil, !coarse.isEmpty { throw wrong(.coarse, "low, medium or high", reader) }
        rule.locksWindow = !cell(.lock, reader).isEmpty
        guard let number = try whole(.rule, Int64(Limits.modelRules), reader) else {
            throw wrong(.rule, "a number, got nothing", reader)
        }
        let place: Message = "line \(reader.line)"
        if rule.fine == nil, rule.coarse == nil { return imported.refuse(place, "no value") }
        if rule.fine != nil, window > 0 { return imported.refuse(place, "a fine value in window \(window)") }
        let found = TableRule(window: window, number: number, line: reader.line, rule: rule)
        let known = rules.firstIndex { $0.isSame(as: found) }
        if let known, !rules[known].hasValue(of: found) {
            return imported.refuse(place, "rule \(number) has another value or lock in line \(rules[known].line)")
        }
        if known == nil { rules.append(found) }
        let condition = cell(.condition, reader)
        if condition.isEmpty { return }
        let object = try condition.withBytes { bytes throws(CommandEnd) in
            try VendorObject(document: bytes, name: reader.name, place: place)
        }
        _ = try imported.add(row: object, to: &rules[known ?? rules.count - 1].rule.when, asksHours: true)
    }

    private func cell(_ column: RowColumn, _ reader: borrowing CSVReader) -> [UInt8] {
        let place = columns[column.rawValue]
        return place < reader.cells.count ? reader.cells[place] : []
    }

    private func whole(
        _ column: RowColumn, _ most: Int64, _ reader: borrowing CSVReader
    ) throws(CommandEnd) -> Int64? {
        let text = cell(column, reader)
        if text.isEmpty { return nil }
        guard let number = text.withUnsafeBytes({ DecimalNumber($0)?.integer }), number >= 0, number <= most else {
            throw wrong(column, "a whole number from 0 to \(most)", reader)
        }
        return number
    }

    private func wrong(_ column: RowColumn, _ what: Message, _ reader: borrowing CSVReader) -> CommandEnd {
        reader.fault(column: columns[column.rawValue] + 1, "\(column.name): expected \(what)")
    }
}
