import SKANCommandOutput
import SKANCore

/// Imports the configuration of TikTok's SDK. Events count within the window, but their money counts since the install.
func importTikTok(_ root: VendorObject, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    imported.noteUnknown(root, "currency postbacks")
    imported.note("there the last event decides, also downwards; here values only rise")
    try imported.readCurrency(try root.text("currency"), request)
    let postbacks = try root.objects("postbacks")
    if postbacks.isEmpty { throw .complaint(root.name, "postbacks: expected the rules of a postback, got none") }
    var windows: Set<Int> = []
    for postback in postbacks {
        imported.noteUnknown(postback, "postback_index fine coarse")
        // A 0 may be omitted.
        let window = Int(try postback.integer("postback_index", 0...2) ?? 0)
        guard windows.insert(window).inserted else {
            imported.refuse(postback.place, "a second postback with the postback_index \(window)")
            continue
        }
        let fine = try postback.objects("fine")
        if window > 0, let row = fine.first { imported.refuse(row.place, "a fine value in window \(window)") }
        for row in window > 0 ? [] : fine {
            guard let value = try row.integer("conversion_value", 0...63) else {
                imported.refuse(row.place, "no conversion_value")
                continue
            }
            guard let when = try imported.tikTokConditions(row) else { continue }
            imported.model.windows[0].rules.append(WrittenRule(fine: Int(value), when: when))
        }
        for row in try postback.objects("coarse") {
            guard let coarse = try row.coarse("conversion_value") else {
                imported.refuse(row.place, "expected low, medium or high")
                continue
            }
            guard let when = try imported.tikTokConditions(row) else { continue }
            imported.add(WrittenRule(coarse: coarse, when: when), window: window)
        }
    }
    imported.sortRules()
    return imported
}

extension ImportedModel {
    /// nil, after refusing the row's conditions, if a model cannot express them.
    fileprivate mutating func tikTokConditions(_ row: VendorObject) throws(CommandEnd) -> WrittenConditions? {
        noteUnknown(row, "conversion_value event_funnel")
        var when = WrittenConditions()
        for condition in try row.objects("event_funnel") {
            noteUnknown(condition, "event_name event_name_report event_value revenue_min revenue_max")
            let name = try condition.requiredText("event_name_report")
            guard let event = event(name, condition.place) else { return nil }
            let least = try condition.amount("revenue_min") ?? .zero
            let most = try condition.amount("revenue_max") ?? .zero
            if least == .zero, most == .zero {
                when.events.append(WrittenEvent(name: event))
            } else {
                when.measures.append(sum(of: event, WrittenRange(min: justAbove(least)), isLifetime: true))
            }
        }
        return when
    }
}
