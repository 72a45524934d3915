import SKANCommandOutput
import SKANCore

/// Returns the row form as comma-separated values, with a line for each condition. The columns are AppsFlyer's,
/// followed by the rule's number and the condition as JSON. Unlike in AppsFlyer's file, all ranges are [min, max).
func rowTable(of model: ConversionModel, _ map: EventMap) -> [Message] {
    var table = RowTable(model: model, map: map)
    table.addHead()
    for window in model.windows.indices {
        let part = model.windows[window]
        table.add(part.list, window)
        if let list = part.coarseList { table.add(list, window) }
    }
    return table.rows
}

/// AppsFlyer's name for the money of all events.
let allRevenue = [UInt8](StaticString("af_skad_revenue").bytes)

private struct RowTable {
    let model: ConversionModel
    let map: EventMap
    var rows: [Message] = []

    mutating func addHead() {
        let columns: StaticString = """
            app_id,conversion_value,event_name,min_event_counter,max_event_counter,min_event_revenue,max_event_revenue,\
            min_time_post_install,max_time_post_install,last_config_change,postback_sequence_index,\
            coarse_conversion_value,lock_window_type,lock_window_time,rule,condition
            """
        rows.append("\(columns)\r\n")
    }

    mutating func add(_ list: RuleList, _ window: Int) {
        for (number, rule) in list.rules.enumerated() {
            let conditions = list.conditions[rule.conditions]
            for condition in conditions { add(rule, number, window, condition, list) }
            if conditions.isEmpty { add(rule, number, window, nil, list) }
        }
    }

    private mutating func add(
        _ rule: ModelRule, _ number: Int, _ window: Int, _ condition: ModelCondition?, _ list: RuleList
    ) {
        var row = CSVWriter()
        row.plain("")
        row.plain(rule.fine.map { "\($0)" } ?? "")
        addSubject(condition, to: &row)
        row.plain("")
        row.plain("\(window)")
        row.plain(rule.coarse.map { "\(coarseName($0))" } ?? "")
        row.plain(rule.locksWindow ? "lock" : "")
        row.plain("")
        row.plain("\(number)")
        row.text(condition.map { document($0) } ?? "")
        rows.append(row.endRow())
    }

    /// Writes the event, and the bounds of its counter, its money and the time.
    private func addSubject(_ condition: ModelCondition?, to row: inout CSVWriter) {
        row.text(Message(utf8: condition.map { name($0) } ?? []))
        let columns = condition.flatMap { model.row(of: $0).columns }
        addBounds(columns == .counter ? condition : nil, to: &row)
        addBounds(columns == .revenue ? condition : nil, to: &row)
        addBounds(columns == .time ? condition : nil, to: &row)
    }

    private func addBounds(_ condition: ModelCondition?, to row: inout CSVWriter) {
        func word(_ bound: Int128?) -> Message {
            guard let condition, let bound, bound != ModelCondition.openBelow else { return "" }
            return condition.isAmount ? Message(writing: Money(units: bound).write) : "\(Int64(clamping: bound))"
        }
        row.plain(word(condition?.min))
        row.plain(word(condition?.end))
    }

    private func name(_ condition: ModelCondition) -> [UInt8] {
        if let axis = condition.axis.revenue { return axis.kind == nil ? allRevenue : [] }
        let event = model.row(of: condition).event
        return event.isEmpty ? [] : map.theirs(event)
    }

    /// Returns the condition as in the row form's JSON, which expresses all of the condition.
    private func document(_ condition: ModelCondition) -> Message {
        var json = JSONWriter(capacity: 512)
        json.write(condition, model, map, namesUnit: true)
        return Message(utf8: json.finish().array)
    }
}
