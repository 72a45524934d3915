import SKANCore

extension WrittenModel {
    /// Brings the model into a canonical form that does not depend on its source, so that a model keeps its version
    /// when it is exported and imported again. Measures, and events in conditions, are put in the order in which the
    /// rules first use them, and unused measures are removed.
    mutating func putInOrder() {
        var order = Order(measures.list)
        for rule in windows.flatMap({ $0.rules + ($0.coarseRules ?? []) }) { order.add(rule.when) }
        measures = WrittenMeasures()
        let names = order.usedMeasures.map { addRenamed($0) }
        for window in windows.indices {
            windows[window].rules = windows[window].rules.map { order.ordered($0, names) }
            windows[window].coarseRules = windows[window].coarseRules?.map { order.ordered($0, names) }
        }
    }

    /// Adds a measure under the name of its first event, with a number appended if that name is taken. Returns the new
    /// name.
    private mutating func addRenamed(_ measure: WrittenMeasure) -> [UInt8] {
        var measure = measure
        measure.name = measure.events.first ?? measure.name
        return measures.add(measure)
    }
}

/// Names in the order in which they are first used.
private struct FirstUses {
    private(set) var names: [[UInt8]] = []
    private var places: [[UInt8]: Int] = [:]

    mutating func note(_ name: [UInt8]) {
        if places[name] != nil { return }
        places[name] = names.count
        names.append(name)
    }

    /// nil if the name is not used.
    func place(_ name: [UInt8]) -> Int? { places[name] }
}

private struct Order {
    private var known: [[UInt8]: WrittenMeasure] = [:]
    private var measures = FirstUses()
    private var events = FirstUses()

    init(_ measures: [WrittenMeasure]) {
        for measure in measures { known[measure.name] = measure }
    }

    /// The measures that rules use, in the order in which they use them first.
    var usedMeasures: [WrittenMeasure] { measures.names.compactMap { known[$0] } }

    mutating func add(_ when: WrittenConditions) {
        for event in when.events { events.note(event.name) }
        for range in when.measures where known[range.measure] != nil { measures.note(range.measure) }
    }

    /// Returns a rule with its conditions in this order, and with the new names of the measures.
    func ordered(_ rule: WrittenRule, _ names: [[UInt8]]) -> WrittenRule {
        var rule = rule
        rule.when.events.sort { place($0.name) < place($1.name) }
        let placed = rule.when.measures.compactMap { range in measures.place(range.measure).map { ($0, range.range) } }
        rule.when.measures = placed.enumerated()
            .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            .map { WrittenMeasureRange(measure: names[$0.element.0], range: $0.element.1) }
        return rule
    }

    private func place(_ event: [UInt8]) -> Int { events.place(event) ?? events.names.count }
}
