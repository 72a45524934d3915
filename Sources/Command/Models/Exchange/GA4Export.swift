import SKANCommandOutput
import SKANCore

/// A model as GA4's SKAdNetworkConversionValueSchema, with messages on the parts that the schema cannot express.
struct GA4Export {
    let model: ConversionModel
    let map: EventMap
    private(set) var refusals: [Message] = []
    /// Messages on differences that do not prevent the export.
    private(set) var notes: [Message] = []
    private var windows: [[GA4Row]] = []

    init(_ model: ConversionModel, _ map: EventMap) {
        self.model = model
        self.map = map
        if model.protocolVersion == .skan3 { refusals.append("protocol 3, which GA4 cannot say") }
        if model.isForReengagements { refusals.append("a model for re-engagements, which GA4 cannot say") }
        for window in model.windows.indices { windows.append(rows(ofWindow: window)) }
        refuseCommonNames()
        notes.append("whether Google's SDK ever lowers a value is not known")
        if !model.raiseOnly { notes.append("raise_only is false, which the schema does not say") }
        if !model.rates.isEmpty { notes.append("the schema has no rates: Google converts currencies itself") }
        notes += unusedMeasures(of: model)
    }

    /// Refuses two events to which the map gives the same name, because GA4 would count them as one event.
    private mutating func refuseCommonNames() {
        var names: [(ours: [UInt8], theirs: [UInt8])] = []
        let events = model.events.map { Message(writing: $0.write).utf8 }
        let measured = model.measures.list.flatMap { $0.events.map { Message(writing: $0.write).utf8 } }
        for event in [sessionName] + events + measured where !names.contains(where: { $0.ours == event }) {
            let theirs = map.theirs(event)
            if let other = names.first(where: { $0.theirs == theirs }) {
                let both: Message = "\(Message(utf8: other.ours)) and \(Message(utf8: event))"
                refusals.append("the events \(both) have one name there, \(Message(utf8: theirs))")
            }
            names.append((event, theirs))
        }
    }

    private mutating func refuse(_ window: Int, _ rule: Int, _ what: Message) {
        refusals.append("window \(window): rule \(rule) has \(what), which GA4 cannot say")
    }

    /// The rows of a window in reverse order, because in GA4 the first row that holds wins.
    private mutating func rows(ofWindow window: Int) -> [GA4Row] {
        let part = model.windows[window]
        if part.coarseList != nil { refusals.append("window \(window): coarse_rules, which GA4 cannot say") }
        var rows: [GA4Row] = []
        for (number, rule) in part.list.rules.enumerated() {
            if let row = row(rule, number, window, part.list) { rows.append(row) }
        }
        if rows.count > 128 {
            refusals.append("window \(window): \(rows.count) rules, of which GA4 can say 128")
            rows.removeFirst(rows.count - 128)
        }
        return rows.reversed()
    }

    private mutating func row(_ rule: ModelRule, _ number: Int, _ window: Int, _ list: RuleList) -> GA4Row? {
        let refused = refusals.count
        if rule.coarse == nil, model.protocolVersion == .skan4, model.windows[window].coarseList == nil {
            refuse(window, number, "no coarse value")
        }
        var row = GA4Row(rule: number, fine: rule.fine, coarse: rule.coarse, locksWindow: rule.locksWindow)
        for condition in list.conditions[rule.conditions] { add(condition, to: &row, number, window) }
        if row.mappings.isEmpty, refusals.count == refused { addEverybody(to: &row, number, window) }
        if row.mappings.count > 3 { refuse(window, number, "conditions on more than 3 events") }
        return refusals.count == refused ? row : nil
    }

    /// Turns a rule that always holds into a row that asks for a session.
    private mutating func addEverybody(to row: inout GA4Row, _ number: Int, _ window: Int) {
        guard let name = map.entry(of: sessionName) else {
            return refuse(window, number, "no condition")
        }
        notes.append("window \(window): rule \(number) always holds, there it asks for \(Message(utf8: name))")
        row.mappings.append(GA4Mapping(event: name, leastCount: 1))
    }

    private mutating func add(_ condition: ModelCondition, to row: inout GA4Row, _ number: Int, _ window: Int) {
        let said = model.row(of: condition)
        switch condition.axis.subject {
        case .count(let place):
            if place == 0, condition.isEverything { return }
            if place == 0, map.entry(of: sessionName) == nil { break }
            return row.addCount(of: map.theirs(said.event), condition)
        case .measure(let number):
            guard model.measures.list[number].isMoneyOfOneEvent else { break }
            return row.addValue(of: map.theirs(said.event), condition)
        case .time:
            // A range of time that covers the whole window needs no condition.
            guard let days = model.daysOfWindow(window), condition.min <= Int128(days.lowerBound) * Day.hours,
                condition.max >= Int128(days.upperBound) * Day.hours
            else { break }
            return
        default: break
        }
        refuse(window, number, "a condition on \(said.subject)")
    }

    // MARK: The document

    func document(isApplied: Bool) -> ByteBuffer {
        var json = JSONWriter(capacity: 16_384)
        json.beginObject()
        for (window, rows) in windows.enumerated() {
            json.object(window == 0 ? "postbackWindowOne" : window == 1 ? "postbackWindowTwo" : "postbackWindowThree") {
                $0.objects("conversionValues", rows) { $0.writeMembers($1) }
                $0.member("postbackWindowSettingsEnabled", true)
            }
        }
        json.member("applyConversionValues", isApplied)
        json.endObject()
        return json.finish()
    }
}

extension ModelMeasure {
    /// Whether the measure is the sum of all money of one event in the window.
    var isMoneyOfOneEvent: Bool {
        guard counting == .sum, let event = events.first, events.count == 1 else { return false }
        return !event.isEveryEvent && !event.isSession && !isLifetime && kind == nil && amount == nil && time == nil
    }
}

/// Returns notes on measures that no rule asks for.
func unusedMeasures(of model: ConversionModel) -> [Message] {
    model.measures.list.indices.filter { !model.asks(measure: $0) }.map {
        "the measure \"\(model.measures.list[$0].nameWords)\" is left out: no rule asks for it"
    }
}

private struct GA4Row {
    let rule: Int
    let fine: UInt8?
    let coarse: UInt8?
    let locksWindow: Bool
    var mappings: [GA4Mapping] = []

    /// Changes the mapping of an event. An event has one mapping, for both its count and its money.
    private mutating func change(_ event: [UInt8], _ body: (inout GA4Mapping) -> Void) {
        let place = mappings.firstIndex { $0.event == event } ?? mappings.count
        if place == mappings.count { mappings.append(GA4Mapping(event: event)) }
        body(&mappings[place])
    }

    mutating func addCount(of event: [UInt8], _ condition: ModelCondition) {
        change(event) {
            $0.leastCount = Int64(clamping: condition.min)
            $0.mostCount = condition.end.map { Int64(clamping: $0) - 1 }
        }
    }

    mutating func addValue(of event: [UInt8], _ condition: ModelCondition) {
        change(event) {
            $0.leastValue = condition.leastAmount
            $0.endValue = condition.endAmount
        }
    }
}

private struct GA4Mapping {
    let event: [UInt8]
    var leastCount: Int64?
    var mostCount: Int64?
    var leastValue: Money?
    var endValue: Money?
}

extension JSONWriter {
    fileprivate mutating func writeMembers(_ row: GA4Row) {
        let names: [StaticString] = ["COARSE_VALUE_LOW", "COARSE_VALUE_MEDIUM", "COARSE_VALUE_HIGH"]
        member("displayName", text: ("rule \(row.rule)" as Message).utf8)
        if let fine = row.fine { member("fineValue", Int64(fine)) }
        if let coarse = row.coarse {
            key("coarseValue")
            string(names[Int(coarse)])
        }
        objects("eventMappings", row.mappings) { $0.writeMembers($1) }
        member("lockEnabled", row.locksWindow)
    }

    private mutating func writeMembers(_ mapping: GA4Mapping) {
        member("eventName", text: mapping.event)
        if let count = mapping.leastCount { member("minEventCount", count) }
        if let count = mapping.mostCount { member("maxEventCount", count) }
        if let value = mapping.leastValue {
            key("minEventValue")
            money(value)
        }
        if let value = mapping.endValue {
            key("maxEventValue")
            money(value)
        }
    }
}
