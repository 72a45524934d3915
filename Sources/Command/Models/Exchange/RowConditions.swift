internal import SKANCore

/// The row form: each rule with all its conditions, one after the other, in the columns that most vendors share. All
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
        if model.asksHours { member("asks_hours", true) }
        key("windows")
        beginArray()
        for window in model.windows.indices {
            let part = model.windows[window]
            let days = model.daysOfWindow(window)
            beginObject()
            member("postback_sequence_index", Int64(window))
            member("min_hours", days.map { $0.lowerBound * 24 } ?? 0)
            member("max_hours", model.protocolVersion == .skan3 ? nil : days.map { $0.upperBound * 24 })
            key("fine")
            writeRows(of: part.list, model, map) { $0.fine.map { .fine($0) } }
            key("coarse")
            writeRows(of: part.coarseList ?? part.list, model, map) { $0.coarse.map { .coarse($0) } }
            if part.coarseList != nil { member("separate_coarse", true) }
            endObject()
        }
        endArray()
        endObject()
    }

    private mutating func writeRates(of model: ConversionModel) {
        key("rates")
        beginObject()
        for rate in model.rates {
            key(letters: rate.currency.write)
            string(letters: Money(units: rate.units).write)
        }
        endObject()
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

    /// `namesUnit`: whether to write the unit of times, days or hours, which a whole document states at its start.
    mutating func write(
        _ condition: ModelCondition, _ model: ConversionModel, _ map: EventMap, namesUnit: Bool
    ) {
        beginObject()
        if let event = model.event(of: condition) {
            let name = Message(writing: event.write).utf8
            member("event_name", text: name)
            member("mapped_event_name", text: map.theirs(name))
            writeBounds(condition, "min_event_counter", "max_event_counter")
        } else if let axis = condition.axis.revenue {
            key("revenue_kind")
            string(axis.kindName)
            key("scope")
            string(axis.scopeName)
            writeBounds(condition, "min_revenue", "max_revenue")
        } else if let number = condition.axis.measure {
            write(condition, model.measures.list[number], map)
        } else if condition.axis == .sessions {
            writeBounds(condition, "min_sessions", "max_sessions")
        } else {
            writeBounds(condition, "min_time_post_install", "max_time_post_install")
            if namesUnit { writeUnit(isDay: !model.asksHours) }
        }
        endObject()
    }

    private mutating func write(_ condition: ModelCondition, _ measure: ModelMeasure, _ map: EventMap) {
        let names = measure.events.map { Message(writing: $0.write).utf8 }
        key("event_names")
        writeTexts(names)
        key("mapped_event_names")
        writeTexts(names.map { map.theirs($0) })
        key("scope")
        string(RevenueAxis(nil, lifetime: measure.isLifetime).scopeName)
        key("filter")
        writeFilter(measure)
        switch measure.counting {
        case .sum: writeBounds(condition, "min_event_revenue", "max_event_revenue")
        case .count: writeBounds(condition, "min_event_counter", "max_event_counter")
        case .days: writeBounds(condition, "min_days", "max_days")
        }
    }

    /// Writes null if every event counts.
    private mutating func writeFilter(_ measure: ModelMeasure) {
        guard measure.kind != nil || measure.amount != nil || measure.time != nil else { return null() }
        beginObject()
        key("revenue_kind")
        string(RevenueAxis(measure.kind, lifetime: false).kindName)
        key("has_amount")
        bool(measure.amount != nil)
        key("min_amount")
        write(amount: measure.amount?.leastAmount)
        key("max_amount")
        write(amount: measure.amount?.endAmount)
        member("min_time_post_install", measure.time.map { Int64(clamping: $0.min) })
        member("max_time_post_install", measure.time.flatMap { $0.end.map { Int64(clamping: $0) } })
        if measure.time != nil { writeUnit(isDay: measure.isTimeInDays) }
        endObject()
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

    private mutating func writeBounds(_ condition: ModelCondition, _ min: StaticString, _ max: StaticString) {
        key(min)
        if condition.isAmount { write(amount: condition.leastAmount) } else { integer(Int64(clamping: condition.min)) }
        key(max)
        if condition.isAmount {
            write(amount: condition.endAmount)
        } else {
            integer(condition.end.map { Int64(clamping: $0) })
        }
    }

    private mutating func write(amount: Money?) {
        if let amount { money(amount) } else { null() }
    }
}

private enum RowValue {
    case fine(UInt8)
    case coarse(UInt8)
}
