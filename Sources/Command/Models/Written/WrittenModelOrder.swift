internal import SKANCore

extension WrittenModel {
    /// Gives a model the form that does not depend on what it was read from, so that a model that is exported and
    /// imported again keeps its version. Measures and the events of conditions stand in the order in which the rules
    /// ask for them, and a measure that no rule asks for is left out.
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

    /// Answers its new name: that of its first event, with a number where another one has that.
    private mutating func addRenamed(_ measure: WrittenMeasure) -> [UInt8] {
        var measure = measure
        measure.name = measure.events.first ?? measure.name
        return self.measure(measure)
    }
}

private struct Order {
    private let known: [WrittenMeasure]
    /// The places among those of the model, in the order in which rules ask for them.
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

    /// A rule whose conditions stand in this order, with the new names of the measures.
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
