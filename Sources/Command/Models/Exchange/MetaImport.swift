import SKANCommandOutput
import SKANCore

/// Imports Meta's ios_skadnetwork_conversion_config. The highest value whose events have all occurred wins; events and
/// their money count since the install.
func importMeta(_ root: VendorObject, _ request: ImportRequest) throws(CommandEnd) -> ImportedModel {
    var imported = ImportedModel(request)
    imported.noteUnknown(root, "data")
    let configurations = try root.objects("data")
    guard let configuration = configurations.first else {
        throw .complaint(root.name, "data: expected a configuration, got none")
    }
    if configurations.count > 1 { imported.note("data: only the first configuration is read") }
    imported.noteUnknown(configuration, metaKeys)
    for key in ["lock_window_rules", "is_coarse_cv_accumulative"] as [StaticString] where configuration.has(key) {
        imported.note("\(key) is not read: Meta's SDK does not use it")
    }
    try imported.readCurrency(try configuration.text("default_currency"), request)
    let cutoff = try configuration.integer("cutoff_time", 0...Int64(UInt32.max)).flatMap { $0 > 0 ? $0 : nil }
    for row in try configuration.objects("conversion_value_rules") {
        imported.noteUnknown(row, "conversion_value events")
        guard let fine = try row.integer("conversion_value", 0...63) else {
            imported.refuse(row.place, "no conversion_value")
            continue
        }
        guard var when = try imported.metaConditions(row) else { continue }
        when[.day] = cutoff.map { WrittenRange(max: $0) }
        imported.model.windows[0].rules.append(WrittenRule(fine: Int(fine), when: when))
    }
    for configuration in try configuration.objects("coarse_cv_configs") {
        try imported.addMeta(coarse: configuration, cutoff)
    }
    imported.sortRules()
    return imported
}

extension ImportedModel {
    /// Adds coarse rules. The rules of the first postback hold only before day `cutoff`, as those for fine values do.
    fileprivate mutating func addMeta(coarse configuration: VendorObject, _ cutoff: Int64?) throws(CommandEnd) {
        noteUnknown(configuration, "postback_sequence_index coarse_cv_rules")
        guard let number = try configuration.integer("postback_sequence_index", 1...3) else {
            return refuse(configuration.place, "no postback_sequence_index")
        }
        let window = Int(number) - 1
        for row in try configuration.objects("coarse_cv_rules") {
            noteUnknown(row, "coarse_cv_value events")
            let value = try row.requiredText("coarse_cv_value")
            // "none" means no value.
            guard let coarse = coarseNumber(value) else {
                if value != [UInt8](StaticString("none").bytes) {
                    refuse(row.place, "expected low, medium, high or none")
                }
                continue
            }
            guard var when = try metaConditions(row) else { continue }
            if window == 0 { when[.day] = cutoff.map { WrittenRange(max: $0) } }
            add(WrittenRule(coarse: coarse, when: when), window: window)
        }
    }

    /// nil, after refusing the row's conditions, if a model cannot express them.
    fileprivate mutating func metaConditions(_ row: VendorObject) throws(CommandEnd) -> WrittenConditions? {
        var when = WrittenConditions()
        for condition in try row.objects("events") {
            noteUnknown(condition, "event_name values")
            guard let event = event(try condition.requiredText("event_name"), condition.place) else { return nil }
            let values = try condition.objects("values")
            if values.isEmpty { when.measures.append(everCame(event)) }
            if values.count > 1 {
                refuse(condition.place, "amounts in other currencies than the model's")
                return nil
            }
            for value in values {
                noteUnknown(value, "currency amount")
                if let other = try value.text("currency"), currencyCode(other) != currencyCode(model.currency) {
                    refuse(value.place, "amounts in other currencies than the model's")
                    return nil
                }
                let amount = try value.amount("amount") ?? .zero
                when.measures.append(sum(of: event, WrittenRange(min: justAbove(amount)), isLifetime: true))
            }
        }
        return when
    }
}

private let metaKeys: StaticString = """
    timer_buckets timer_interval cutoff_time default_currency conversion_value_rules coarse_cv_configs \
    lock_window_rules is_coarse_cv_accumulative
    """
