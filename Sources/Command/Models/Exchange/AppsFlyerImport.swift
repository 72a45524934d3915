import SKANCommandOutput
import SKANCore
import SKANSystem

/// Imports a file in AppsFlyer's form. Each row is a condition for a value; ranges of money are (min, max].
func importAppsFlyer(_ path: CText, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    let rows = try readAppsFlyerRows(path, &imported)
    if request.currency == nil { imported.note("the file names no currency, USD is taken: say --currency") }
    var earlier = EarlierValues()
    for row in rows { imported.check(row, &earlier, request) }
    if imported.refusals.isEmpty || request.isPartial {
        let bands = RevenueBands(rows)
        for row in rows { imported.add(row, bands, request) }
    }
    imported.sortRules()
    return imported
}

private struct EarlierValues {
    private var fine: Set<Int> = []
    private var coarse: Set<Int> = []

    func hasFine(of row: AppsFlyerRow) -> Bool { row.fine.map { fine.contains($0 * 3 + row.window) } ?? false }

    func hasCoarse(of row: AppsFlyerRow) -> Bool { row.coarse.map { coarse.contains($0 * 3 + row.window) } ?? false }

    mutating func add(_ row: AppsFlyerRow) {
        if let value = row.fine { fine.insert(value * 3 + row.window) }
        if let value = row.coarse { coarse.insert(value * 3 + row.window) }
    }
}

/// The upper end of the highest revenue band of each event, by window.
private struct RevenueBands {
    private var ends: [PerWindow<Int128?>] = []
    private var places: [[UInt8]: Int] = [:]

    init(_ rows: [AppsFlyerRow]) {
        for row in rows where row.hasRevenue {
            let place = places[row.event] ?? ends.count
            if place == ends.count {
                places[row.event] = place
                ends.append(PerWindow(repeating: nil))
            }
            ends[place][row.window] = max(ends[place][row.window] ?? .min, RevenueBands.end(row))
        }
    }

    /// Whether the row's band is the highest of its event.
    func isLast(_ row: AppsFlyerRow) -> Bool {
        guard let place = places[row.event], let end = ends[place][row.window] else { return true }
        return end <= RevenueBands.end(row)
    }

    private static func end(_ row: AppsFlyerRow) -> Int128 { row.revenue.max?.units ?? .max }
}

extension ImportedModel {
    /// Refuses or notes features of a row that were never seen in a real file. Also refuses a row with the value of an
    /// earlier row, unless --same-value says what two such rows mean.
    fileprivate mutating func check(_ row: AppsFlyerRow, _ earlier: inout EarlierValues, _ request: ImportRequest) {
        if row.isLocking { refuse(row.place, "a lock of the window, whose meaning no real file has shown") }
        if row.coarse != nil { note("coarse values: no real file with them was seen") }
        if row.fine == nil, row.coarse == nil { refuse(row.place, "neither a conversion value nor a coarse value") }
        if row.fine != nil, row.window > 0 { refuse(row.place, "a fine value in window \(row.window)") }
        if row.hasRevenue, row.counter != WrittenRange(min: 0, max: 1), row.counter != WrittenRange() {
            refuse(row.place, "ranges of the counter and of revenue together, whose meaning no real file has shown")
        }
        if row.hasRevenue, row.event.isEmpty { refuse(row.place, "a range of revenue without an event") }
        guard request.sameValue == nil else { return }
        defer { earlier.add(row) }
        if earlier.hasFine(of: row) {
            refuse(
                row.place,
                "an earlier row has the conversion value \(row.fine ?? 0), too: say with --same-value what that means")
        } else if row.fine == nil, earlier.hasCoarse(of: row) {
            refuse(row.place, "an earlier row has this coarse value, too: say with --same-value what that means")
        }
    }

    fileprivate mutating func add(_ row: AppsFlyerRow, _ bands: RevenueBands, _ request: ImportRequest) {
        guard !row.isLocking, let when = conditions(row, bands) else { return }
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

    /// nil, after refusing the row's conditions, if a model cannot express them.
    private mutating func conditions(_ row: AppsFlyerRow, _ bands: RevenueBands) -> WrittenConditions? {
        var when = WrittenConditions()
        when[.hours] = row.hours
        if row.event.isEmpty { return when }
        if row.hasRevenue {
            // Amounts above the last band count as amounts in it.
            let range = WrittenRange(
                min: row.revenue.min.map(justAbove), max: bands.isLast(row) ? nil : row.revenue.max.map(justAbove))
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
    /// Adds a rule. With `--same-value all`, if there is a rule for the value already, adds the conditions to that rule
    /// instead.
    mutating func add(_ rule: WrittenRule, _ request: ImportRequest) {
        guard request.sameValue == .all,
            let place = firstIndex(where: { $0.fine == rule.fine && $0.coarse == rule.coarse })
        else { return append(rule) }
        self[place].when.join(rule.when)
    }
}

extension WrittenConditions {
    /// Adds other conditions, which must hold, too. Two ranges of time are replaced by their intersection.
    fileprivate mutating func join(_ other: WrittenConditions) {
        events += other.events
        revenue += other.revenue
        measures += other.measures
        guard let both = other[.hours] else { return }
        let least = [self[.hours]?.min, both.min].compactMap { $0 }.max()
        let most = [self[.hours]?.max, both.max].compactMap { $0 }.min()
        self[.hours] = WrittenRange(min: least, max: most)
    }
}
