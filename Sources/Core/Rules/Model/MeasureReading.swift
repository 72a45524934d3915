/// Rules, "Model measures", "Model refusals": reads the measures of a model's document.
extension ModelReader {
    @_optimize(size)
    func readMeasures(_ root: DocumentNode) throws(Failure) {
        guard let object = root.member("measures") else { return }
        try object.requireObject()
        guard object.children.count <= Limits.modelMeasures else {
            throw object.refuse("expected at most \(Limits.modelMeasures) measures, got \(object.children.count)")
        }
        var list: [ModelMeasure] = []
        for node in object.children { list.append(try measure(named: node)) }
        measures = ModelMeasures(list)
        if !list.isEmpty { shown.insert(.measures) }
    }

    @_optimize(size)
    private func measure(named node: DocumentNode) throws(Failure) -> ModelMeasure {
        let name = node.key
        guard name.count >= 1, name.count <= Limits.measureNameBytes, name.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E })
        else {
            throw node.refuse("expected a name of 1 to \(Limits.measureNameBytes) printable ASCII characters as key")
        }
        try node.requireObject("count sum days scope kind amount day hours")
        var found: [ModelMeasure.Counting] = []
        for number in 0..<3 {
            guard let counting = ModelMeasure.Counting(rawValue: number), node.member(counting.word) != nil else {
                continue
            }
            found.append(counting)
        }
        guard let counting = found.first, found.count == 1 else {
            throw node.refuse("expected one of count, sum and days, got \(found.count)")
        }
        let scope = try node.word("scope", of: "window lifetime")
        let kind = try node.word("kind", of: "all iap ad")
        if protocolVersion == .skan3, kind == 2 { throw node.refuse(member: "kind", "SKAN 3 knows no ad revenue") }
        return ModelMeasure(
            name: name, counting: counting, events: try measuredEvents(try node.required(counting.word)),
            isLifetime: scope == 1, kind: kind == 0 ? nil : kind == 1 ? .iap : .ad,
            amount: try amountFilter(node), time: try timeFilter(node), isTimeInDays: node.member("day") != nil)
    }

    @_optimize(size)
    private func measuredEvents(_ node: DocumentNode) throws(Failure) -> [EventName] {
        let nodes = try node.elements()
        guard nodes.count >= 1, nodes.count <= Limits.modelEvents else {
            throw node.refuse("expected 1 to \(Limits.modelEvents) event names, got \(nodes.count)")
        }
        var events: [EventName] = []
        for node in nodes {
            let event = try event(node)
            guard !events.contains(event) else { throw node.refuse("appears twice") }
            if !event.isEveryEvent { try add(event, node) }
            events.append(event)
        }
        return events
    }

    @_optimize(size)
    private func amountFilter(_ node: DocumentNode) throws(Failure) -> ModelCondition? {
        guard let amount = node.member("amount") else { return nil }
        try amount.requireObject("min max")
        return try amountRange(amount, .time, otherwise: ModelCondition.openBelow)
    }

    @_optimize(size)
    private func timeFilter(_ node: DocumentNode) throws(Failure) -> ModelCondition? {
        try node.refuseDayBesideHours()
        if let day = node.member("day") { return try range(day, ConditionKey.day.row) }
        guard let hours = node.member("hours") else { return nil }
        return try range(hours, ConditionKey.hours.row)
    }
}
