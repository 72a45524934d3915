import SKANCommandOutput
import SKANCore

/// Writes the row form as JSON: all rules with their conditions, under the column names that most vendors share. All
/// ranges are [min, max); null means no bound.
extension JSONWriter {
    mutating func writeRows(of model: ConversionModel, _ map: EventMap) {
        beginObject()
        key("form")
        string("rows")
        key("model")
        string(letters: model.version.write)
        member("id", text: model.id)
        member("protocol", Int64(model.protocolVersion.rawValue))
        if model.isForReengagements {
            key("conversion")
            string("re-engagement")
        }
        key("currency")
        currency(model.currency)
        if !model.rates.isEmpty { writeRates(of: model) }
        member("raise_only", model.raiseOnly)
        if model.shows(.hours) { member("asks_hours", true) }
        objects("windows", model.windows.indices) { json, window in
            let part = model.windows[window]
            let days = model.daysOfWindow(window)
            json.member("postback_sequence_index", Int64(window))
            json.member("min_hours", days.map { $0.lowerBound * 24 } ?? 0)
            json.member("max_hours", model.protocolVersion == .skan3 ? nil : days.map { $0.upperBound * 24 })
            json.key("fine")
            json.writeRows(of: part.list, model, map) { $0.fine.map { .fine($0) } }
            json.key("coarse")
            json.writeRows(of: part.coarseList ?? part.list, model, map) { $0.coarse.map { .coarse($0) } }
            if part.coarseList != nil { json.member("separate_coarse", true) }
        }
        endObject()
    }

    private mutating func writeRates(of model: ConversionModel) {
        object("rates") {
            for rate in model.rates {
                $0.key(letters: rate.currency.write)
                $0.string(letters: Money(units: rate.units).write)
            }
        }
    }

    private mutating func writeRows(
        of list: RuleList, _ model: ConversionModel, _ map: EventMap, _ value: (ModelRule) -> RowValue?
    ) {
        beginArray()
        for (number, rule) in list.rules.enumerated() {
            guard let value = value(rule) else { continue }
            beginObject()
            member("rule", Int64(number))
            key("conversion_value")
            switch value {
            case .fine(let fine): integer(Int64(fine))
            case .coarse(let coarse): string(coarseName(coarse))
            }
            member("lock", rule.locksWindow)
            key("conditions")
            beginArray()
            for condition in list.conditions[rule.conditions] { write(condition, model, map, namesUnit: false) }
            endArray()
            endObject()
        }
        endArray()
    }

    /// `namesUnit`: whether to write the unit of times, "day" or "hour". A whole document states it once, at its start.
    mutating func write(
        _ condition: ModelCondition, _ model: ConversionModel, _ map: EventMap, namesUnit: Bool
    ) {
        let row = model.row(of: condition)
        beginObject()
        switch condition.axis.subject {
        case .count(let place) where place > 0:
            member("event_name", text: row.event)
            member("mapped_event_name", text: map.theirs(row.event))
        case .revenue(let axis):
            key("revenue_kind")
            string(axis.kindName)
            key("scope")
            string(axis.scopeName)
        case .measure(let number): write(model.measures.list[number], map)
        default: break
        }
        writeBounds(condition, row.keys.min, row.keys.max)
        if namesUnit, condition.axis == .time { writeUnit(isDay: !model.shows(.hours)) }
        endObject()
    }

    private mutating func write(_ measure: ModelMeasure, _ map: EventMap) {
        let names = measure.events.map { Message(writing: $0.write).utf8 }
        key("event_names")
        writeTexts(names)
        key("mapped_event_names")
        writeTexts(names.map { map.theirs($0) })
        key("scope")
        string(RevenueAxis(nil, lifetime: measure.isLifetime).scopeName)
        key("filter")
        writeFilter(measure)
    }

    /// null if every event counts.
    private mutating func writeFilter(_ measure: ModelMeasure) {
        guard measure.kind != nil || measure.amount != nil || measure.time != nil else { return null() }
        beginObject()
        key("revenue_kind")
        string(RevenueAxis(measure.kind, lifetime: false).kindName)
        key("has_amount")
        bool(measure.amount != nil)
        writeFilter(measure.amount, RangeKeys(min: "min_amount", max: "max_amount"))
        writeFilter(measure.time, .time)
        if measure.time != nil { writeUnit(isDay: measure.isTimeInDays) }
        endObject()
    }

    /// Both bounds are null if events may have any amount or time.
    private mutating func writeFilter(_ range: ModelCondition?, _ keys: RangeKeys) {
        if let range { return writeBounds(range, keys.min, keys.max) }
        for name in [keys.min, keys.max] {
            key(name)
            null()
        }
    }

    private mutating func writeUnit(isDay: Bool) {
        key("time_unit")
        string(isDay ? "day" : "hour")
    }

    private mutating func writeTexts(_ texts: [[UInt8]]) {
        beginArray()
        for text in texts { text.withUnsafeBytes { string(utf8: $0) } }
        endArray()
    }
}

private enum RowValue {
    case fine(UInt8)
    case coarse(UInt8)
}
