import SKANCommandOutput
import SKANCore

/// Imports the GA4 Admin API's SKAdNetworkConversionValueSchema. In GA4 the first row that holds wins, so the rows are
/// reversed here.
func importGA4(_ root: VendorObject, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    imported.noteUnknown(root, "name postbackWindowOne postbackWindowTwo postbackWindowThree applyConversionValues")
    guard root.has("postbackWindowOne") || root.has("postbackWindowTwo") || root.has("postbackWindowThree") else {
        throw .complaint(root.name, "expected postbackWindowOne, postbackWindowTwo or postbackWindowThree, got none")
    }
    if request.currency == nil { imported.note("the schema names no currency, USD is taken: say --currency") }
    var rows: [VendorObject] = []
    for (number, key)
        in ([(0, "postbackWindowOne"), (1, "postbackWindowTwo"), (2, "postbackWindowThree")]
        as [(Int, StaticString)])
    {
        let window = try root.object(key)
        if let window {
            imported.noteUnknown(window, "conversionValues postbackWindowSettingsEnabled")
            if try window.flag("postbackWindowSettingsEnabled") || number == 0 {
                rows = try window.objects("conversionValues")
            }
        }
        for row in rows.reversed() {
            guard let rule = try imported.ga4Rule(row, window: number) else { continue }
            imported.model.windows[number].rules.append(rule)
        }
    }
    imported.model.raiseOnly = imported.model.windows.allSatisfy { $0.rules.ascend }
    return imported
}

extension ImportedModel {
    fileprivate mutating func ga4Rule(_ row: VendorObject, window: Int) throws(CommandEnd) -> WrittenRule? {
        noteUnknown(row, "displayName fineValue coarseValue eventMappings lockEnabled")
        var rule = WrittenRule()
        if window == 0 {
            guard let fine = try row.integer("fineValue", 0...63) else {
                refuse(row.place, "no fineValue, which a rule of window 0 has")
                return nil
            }
            rule.fine = Int(fine)
        }
        rule.coarse = try row.coarse("coarseValue", prefix: "coarse_value_")
        if rule.coarse == nil, row.has("coarseValue") {
            refuse(row.place, "expected COARSE_VALUE_LOW, COARSE_VALUE_MEDIUM or COARSE_VALUE_HIGH")
            return nil
        }
        if rule.coarse == nil, window > 0 {
            refuse(row.place, "no coarseValue, which a rule of window \(window) has")
            return nil
        }
        rule.locksWindow = try row.flag("lockEnabled")
        for mapping in try row.objects("eventMappings") {
            guard try add(ga4: mapping, to: &rule.when) else { return nil }
        }
        return rule
    }

    /// Adds conditions on an event: how often it occurred in the window, its money, or both. Returns false if a model
    /// cannot express them.
    private mutating func add(ga4 mapping: VendorObject, to when: inout WrittenConditions) throws(CommandEnd) -> Bool {
        noteUnknown(mapping, "eventName minEventCount maxEventCount minEventValue maxEventValue")
        guard let event = event(try mapping.requiredText("eventName"), mapping.place) else { return false }
        let most = Int64(UInt32.max) - 1
        let least = try mapping.integer("minEventCount", 0...most)
        let end = try mapping.integer("maxEventCount", 0...most).map { $0 + 1 }
        let value = WrittenRange(min: try mapping.amount("minEventValue"), max: try mapping.amount("maxEventValue"))
        if value.max != nil { note("maxEventValue: whether it is included is not known, here it is not") }
        if value != WrittenRange() { when.measures.append(sum(of: event, value, isLifetime: false)) }
        if least == nil, end == nil, value != WrittenRange() { return true }
        if event == sessionName {
            when[.sessions] = WrittenRange(min: least ?? (end == nil ? 1 : nil), max: end)
        } else {
            // An event without bounds must occur at least once.
            let count = WrittenRange(min: least ?? (end == nil ? nil : 0), max: end)
            when.events.append(WrittenEvent(name: event, count: count))
        }
        return true
    }

    mutating func noteUnknown(_ object: VendorObject, _ known: StaticString) {
        for key in object.unknownKeys(known) { note("the key \(key) is not known, and not read") }
    }
}

extension [WrittenRule] {
    /// Whether no value is lower than the one before, as raise_only requires.
    var ascend: Bool {
        zip(self, dropFirst()).allSatisfy { ($0.fine ?? 0) <= ($1.fine ?? 0) && ($0.coarse ?? -1) <= ($1.coarse ?? -1) }
    }
}
