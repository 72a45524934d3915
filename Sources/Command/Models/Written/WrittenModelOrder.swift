import SKANCore

extension WrittenModel {
    /// Gives a model a canonical form that does not depend on its source, so that a model keeps its version when it is
    /// exported and imported again. Measures and events of conditions are ordered as the rules first use them, and
    /// unused measures are removed.
    mutating func putInOrder() {
        var order = Order(measures)
        for rule in windows.flatMap({ $0.rules + ($0.coarseRules ?? []) }) { order.add(rule.when) }
        let known = measures
        measures = []
        let names = order.measures.map { number in addRenamed(known[number]) }
        for window in windows.indices {
            windows[window].rules = windows[window].rules.map { order.ordered($0, names) }
            windows[window].coarseRules = windows[window].coarseRules?.map { order.ordered($0, names) }
        }
    }

    /// Adds a measure under the name of its first event, with a number if that is taken. Returns the new name.
    private mutating func addRenamed(_ measure: WrittenMeasure) -> [UInt8] {
        var measure = measure
        measure.name = measure.events.first ?? measure.name
        return self.measure(measure)
    }
}

private struct Order {
    private let known: [WrittenMeasure]
    /// The indices of the model's measures, in the order in which rules first use them.
    private(set) var measures: [Int] = []
    private var events: [[UInt8]] = []

    init(_ known: [WrittenMeasure]) { self.known = known }

    mutating func add(_ when: WrittenConditions) {
        for event in when.events where !events.contains(event.name) { events.append(event.name) }
        for range in when.measures {
            guard let place = known.firstIndex(where: { $0.name == range.measure }) else { continue }
            if !measures.contains(place) { measures.append(place) }
        }
    }

    /// A rule with its conditions in this order, and the new names of the measures.
    func ordered(_ rule: WrittenRule, _ names: [[UInt8]]) -> WrittenRule {
        var rule = rule
        rule.when.events.sort { place($0.name) < place($1.name) }
        rule.when.measures = measures.enumerated().flatMap { number, place in
            rule.when.measures.filter { $0.measure == known[place].name }.map {
                WrittenMeasureRange(measure: names[number], range: $0.range)
            }
        }
        return rule
    }

    private func place(_ event: [UInt8]) -> Int { events.firstIndex(of: event) ?? events.count }
}
