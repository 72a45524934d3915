import SKANCommandOutput
import SKANCore

/// Imports the row form as JSON, which `skan model export` and `skan serve` write.
func importRows(_ root: VendorObject, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    imported.noteUnknown(root, rowKeys)
    guard let form = try root.text("form"), form.elementsEqual(StaticString("rows").bytes) else {
        throw .complaint(root.name, "form: expected \"rows\", as skan model export --form rows prints it")
    }
    try imported.readHead(root, request)
    let asksHours = try root.flag("asks_hours")
    for window in try root.objects("windows") {
        imported.noteUnknown(window, "postback_sequence_index min_hours max_hours fine coarse separate_coarse")
        let last = Int64(imported.model.windows.count - 1)
        guard let number = try window.integer("postback_sequence_index", 0...last) else {
            imported.refuse(window.place, "no postback_sequence_index")
            continue
        }
        let isSeparate = try window.flag("separate_coarse")
        if isSeparate, number == 0 { imported.model.windows[0].coarseRules = [] }
        var rows = try imported.rows(window, isFine: true, asksHours)
        if number > 0, let row = rows.first {
            imported.refuse(row.place, "a fine value in window \(number)")
            continue
        }
        for row in try imported.rows(window, isFine: false, asksHours) {
            if number > 0 || isSeparate {
                imported.add(row.rule, window: Int(number))
            } else if let place = rows.firstIndex(where: { $0.number == row.number }) {
                rows[place].rule.coarse = row.rule.coarse
            } else {
                imported.refuse(row.place, "a coarse value of rule \(row.number), which has no row in fine")
            }
        }
        for row in rows { imported.add(row.rule, window: Int(number)) }
    }
    return imported
}

private let rowKeys: StaticString =
    "form model id protocol conversion currency rates raise_only asks_hours windows"

/// A row of the row form: the conditions of a rule, and its fine or its coarse value. A rule with both values has two
/// rows with the same number.
struct ImportedRow {
    var number: Int64
    let place: Message
    var rule: WrittenRule
}

extension ImportedModel {
    /// Reads the members that apply to the whole model.
    fileprivate mutating func readHead(_ root: VendorObject, _ request: ImportRequest) throws(CommandEnd) {
        formerVersion = try root.text("model")
        if model.id.isEmpty, let id = try root.text("id") { model.id = id }
        if try root.integer("protocol", 3...4) == 3 {
            model.protocolVersion = .skan3
            model.windows = [WrittenWindow()]
        }
        if let conversion = try root.text("conversion") { model.conversion = conversion }
        try readCurrency(try root.text("currency"), request)
        model.rates = try root.texts("rates").map { (currency: $0.key, rate: $0.text) }
        if root.has("raise_only") { model.raiseOnly = try root.flag("raise_only") }
    }

    /// Reads the rows of a list, sorted by number, because the rule with the highest number that holds wins.
    fileprivate mutating func rows(
        _ window: VendorObject, isFine: Bool, _ asksHours: Bool
    ) throws(CommandEnd) -> [ImportedRow] {
        var rows: [ImportedRow] = []
        for row in try window.objects(isFine ? "fine" : "coarse") {
            noteUnknown(row, "rule conversion_value lock conditions")
            var rule = WrittenRule(locksWindow: try row.flag("lock"))
            if isFine {
                rule.fine = try row.integer("conversion_value", 0...63).map { Int($0) }
            } else {
                rule.coarse = try row.coarse("conversion_value")
            }
            guard rule.fine != nil || rule.coarse != nil else {
                refuse(row.place, isFine ? "no conversion_value" : "expected low, medium or high")
                continue
            }
            let number = try row.integer("rule", 0...Int64(Limits.modelRules)) ?? Int64(rows.count)
            if rows.contains(where: { $0.number == number }) {
                refuse(row.place, "an earlier row is rule \(number), too")
            }
            var isWhole = true
            for condition in try row.objects("conditions") {
                isWhole = try add(row: condition, to: &rule.when, asksHours: asksHours) && isWhole
            }
            if isWhole { rows.append(ImportedRow(number: number, place: row.place, rule: rule)) }
        }
        rows.sort { $0.number < $1.number }
        return rows
    }

    /// Adds a rule to the rules of its window, or to the coarse rules if it is for window 0 and has no fine value.
    mutating func add(_ rule: WrittenRule, window: Int) {
        guard window == 0, rule.fine == nil else { return model.windows[window].rules.append(rule) }
        model.windows[0].coarseRules = model.windows[0].coarseRules ?? []
        model.windows[0].coarseRules?.append(rule)
    }

    // MARK: Conditions

    /// Adds a condition that is written in the row form's JSON. Returns false if a model cannot express it.
    mutating func add(
        row condition: VendorObject, to when: inout WrittenConditions, asksHours: Bool
    ) throws(CommandEnd) -> Bool {
        if let name = try condition.text("event_name") {
            noteUnknown(condition, "event_name mapped_event_name min_event_counter max_event_counter")
            guard let event = event(name, condition.place) else { return false }
            let count = try condition.range(.counter)
            when.events.append(WrittenEvent(name: event, count: WrittenRange(min: count.min ?? 0, max: count.max)))
        } else if condition.has("event_names") {
            guard let range = try measure(condition) else { return false }
            when.measures.append(range)
        } else if condition.has("revenue_kind") {
            noteUnknown(condition, "revenue_kind scope min_revenue max_revenue")
            guard let axis = try condition.revenueAxis() else {
                refuse(condition.place, "a kind or scope of revenue that a model cannot have")
                return false
            }
            let amount = try condition.amounts(.revenue)
            when.revenue.append(WrittenRevenue(axis: axis, amount: amount))
        } else if let key = condition.rangeKey, let keys = key.rangeKeys {
            noteUnknown(condition, keys.known)
            let range = try condition.range(keys.range)
            if key != .day {
                when[key] = range
            } else if try condition.isInDays ?? !asksHours, let days = range.inDays {
                when[.day] = days
            } else {
                when[.hours] = range
            }
        } else {
            refuse(condition.place, "a condition that a model cannot have")
            return false
        }
        return true
    }

    /// Reads a condition on a measure, which is added to the model if it is new; nil if a model cannot express the
    /// condition.
    private mutating func measure(_ condition: VendorObject) throws(CommandEnd) -> WrittenMeasureRange? {
        noteUnknown(condition, measureKeys)
        var events: [[UInt8]] = []
        for name in try condition.textList("event_names") {
            guard let event = event(name, condition.place) else { return nil }
            events.append(event)
        }
        guard let first = events.first else {
            refuse(condition.place, "no event in event_names")
            return nil
        }
        let counting: ModelMeasure.Counting =
            condition.hasKey("min_event_revenue") ? .sum : condition.hasKey("min_days") ? .days : .count
        var measure = WrittenMeasure(name: first, counting: counting, events: events)
        measure.isLifetime = try condition.text("scope")?.elementsEqual(StaticString("lifetime").bytes) ?? false
        if let filter = try condition.object("filter"), !(try take(filter, into: &measure)) { return nil }
        let keys = counting.keys
        let range = counting == .sum ? try condition.amounts(keys) : try condition.range(keys).asAmounts
        return WrittenMeasureRange(measure: model.measures.add(measure), range: range)
    }

    /// Limits a measure to the events that a filter selects; returns false if a model cannot express the filter.
    private mutating func take(
        _ filter: VendorObject, into measure: inout WrittenMeasure
    ) throws(CommandEnd) -> Bool {
        noteUnknown(filter, filterKeys)
        guard let axis = try filter.revenueAxis() else {
            refuse(filter.place, "a kind of revenue that a model cannot have")
            return false
        }
        measure.kind = axis.kind
        if try filter.flag("has_amount") {
            measure.amount = try filter.amounts(RangeKeys(min: "min_amount", max: "max_amount"))
        }
        if filter.has(RangeKeys.time.min) || filter.has(RangeKeys.time.max) {
            let time = try filter.range(.time)
            let isInDays = try filter.isInDays ?? false
            if isInDays, let days = time.inDays { measure.day = days } else { measure.hours = time }
        }
        return true
    }
}

private let measureKeys: StaticString = """
    event_names mapped_event_names scope filter min_event_counter max_event_counter min_event_revenue \
    max_event_revenue min_days max_days
    """
private let filterKeys: StaticString = """
    revenue_kind has_amount min_amount max_amount min_time_post_install max_time_post_install time_unit
    """

extension VendorObject {
    fileprivate func range(_ keys: RangeKeys) throws(CommandEnd) -> WrittenRange<Int64> {
        let most = Int64(UInt32.max) * 24
        return WrittenRange(min: try integer(keys.min, 0...most), max: try integer(keys.max, 0...most))
    }

    fileprivate func amounts(_ keys: RangeKeys) throws(CommandEnd) -> WrittenRange<Money> {
        WrittenRange(min: try amount(keys.min), max: try amount(keys.max))
    }

    /// The key of the condition that this object describes, found by the keys of its range; nil if there is none.
    fileprivate var rangeKey: ConditionKey? {
        ConditionKey.all.first { $0.rangeKeys.map { has($0.range.min) || has($0.range.max) } ?? false }
    }

    /// nil if no unit is given.
    fileprivate var isInDays: Bool? {
        get throws(CommandEnd) { try text("time_unit")?.elementsEqual(StaticString("day").bytes) }
    }

    /// nil if the kind or the scope is unknown.
    fileprivate func revenueAxis() throws(CommandEnd) -> RevenueAxis? {
        let kind = try text("revenue_kind")
        let scope = try text("scope")
        for number in 0..<RevenueAxis.count {
            let axis = RevenueAxis(number: number)
            let isScope = scope?.elementsEqual(axis.scopeName.bytes) ?? (axis.scope == .window)
            if isScope, kind?.elementsEqual(axis.kindName.bytes) ?? (axis.kind == nil) { return axis }
        }
        return nil
    }
}

extension WrittenRange<Int64> {
    /// nil if the bounds are not whole days.
    fileprivate var inDays: WrittenRange<Int64>? {
        guard (min ?? 0) % 24 == 0, (max ?? 0) % 24 == 0 else { return nil }
        return WrittenRange(min: min.map { $0 / 24 }, max: max.map { $0 / 24 })
    }

    fileprivate var asAmounts: WrittenRange<Money> {
        WrittenRange<Money>(
            min: min.map { Money(units: Int128($0) * Money.scale) },
            max: max.map { Money(units: Int128($0) * Money.scale) })
    }
}
