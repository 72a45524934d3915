/// Rules, "Model document", "Model refusals": reads the conditions of rules.
extension ModelReader {
    /// Reads the conditions of `when`, sorted by axis. A rule without `when` has no conditions, so it always applies.
    @_optimize(size)
    func conditions(_ node: DocumentNode) throws(Failure) -> [ModelCondition] {
        var conditions: [ModelCondition] = []
        guard let when = node.member("when") else { return conditions }
        try when.requireObject(ConditionKey.names)
        try when.refuseDayBesideHours()
        for key in ConditionKey.read {
            let row = key.row
            guard let member = when.member(row.name) else { continue }
            shown.insert(key)
            if case .range = row.form {
                try conditions.add(try range(member, row), member)
                continue
            }
            for node in key == .revenue ? member.listed : try member.elements() {
                try conditions.add(try condition(node, key), node)
            }
        }
        return conditions
    }

    /// Reads a condition that is an element of a list, such as "events" or "revenue".
    @_optimize(size)
    private func condition(_ node: DocumentNode, _ key: ConditionKey) throws(Failure) -> ModelCondition {
        switch key {
        case .revenue:
            try node.requireObject("kind scope min max")
            return try amountRange(node, .revenue(try revenueAxis(node)))
        case .measures:
            return try measureRange(node)
        default:
            try node.requireObject("name min_count max_count")
            let place = try place(of: try node.required("name"))
            return try countRange(node, .count(place), "min_count", "max_count", otherwise: 1)
        }
    }

    /// Reads a condition that is an object with "min" and "max".
    @_optimize(size)
    func range(_ node: DocumentNode, _ row: ConditionKey.Row) throws(Failure) -> ModelCondition {
        try node.requireObject("min max")
        guard case .range(let axis, let unit) = row.form else { throw node.expected("a range") }
        return try countRange(node, axis, "min", "max", scale: unit)
    }

    /// Reads a range of whole numbers, and multiplies them by `scale` to convert them to the axis's unit. `otherwise`:
    /// the minimum if the document gives none.
    @_optimize(size)
    private func countRange(
        _ node: DocumentNode, _ axis: ModelAxis, _ minKey: StaticString, _ maxKey: StaticString, otherwise: Int64 = 0,
        scale: Int128 = 1
    ) throws(Failure) -> ModelCondition {
        let lowest = try node.integer(minKey, max: countLimit)
        let highest = try node.integer(maxKey, max: countLimit)
        let (min, max) = (lowest < 0 ? otherwise : lowest, highest < 0 ? Int64.max : highest)
        guard min < max else { throw node.refuse("expected \(minKey) below \(maxKey), got \(min) and \(max)") }
        return ModelCondition(
            axis: axis, isAmount: false, min: Int128(min) &* scale,
            max: highest < 0 ? ModelCondition.open : Int128(max) &* scale)
    }

    /// Reads a range of money. `otherwise`: the minimum if the document gives none.
    @_optimize(size)
    func amountRange(
        _ node: DocumentNode, _ axis: ModelAxis, otherwise: Int128 = 0
    ) throws(Failure) -> ModelCondition {
        let lowest = try node.money("min", otherwise: otherwise)
        let highest = try node.money("max", otherwise: ModelCondition.open)
        guard lowest < highest else { throw node.refuse("expected min below max") }
        return ModelCondition(axis: axis, isAmount: true, min: lowest, max: highest)
    }

    /// Reads the kind and the scope of revenue. SKAN 3 has only one window, so there every scope is the lifetime.
    @_optimize(size)
    func revenueAxis(_ node: DocumentNode) throws(Failure) -> RevenueAxis {
        let kind = try node.word("kind", of: "iap ad all")
        let scope = try node.word("scope", of: isForReengagements ? "window lifetime conversion" : "window lifetime")
        if protocolVersion == .skan3, kind == 1 { throw node.refuse(member: "kind", "SKAN 3 knows no ad revenue") }
        return RevenueAxis(
            RevenueKind(rawValue: UInt8(truncatingIfNeeded: kind)),
            protocolVersion == .skan3 ? .lifetime : RevenueScope(rawValue: UInt8(truncatingIfNeeded: scope)) ?? .window)
    }

    @_optimize(size)
    private func measureRange(_ node: DocumentNode) throws(Failure) -> ModelCondition {
        try node.requireObject("name min max")
        let number = try measure(try node.required("name"))
        guard node.member("min") != nil || node.member("max") != nil else {
            throw node.refuse("expected min, max, or both")
        }
        let axis = ModelAxis.measure(number)
        return measures.list[number].counting == .sum
            ? try amountRange(node, axis) : try countRange(node, axis, "min", "max")
    }
}

extension DocumentNode {
    func refuseDayBesideHours() throws(Failure) {
        guard member("day") != nil, let hours = member("hours") else { return }
        throw hours.refuse("expected day or hours, got both")
    }
}

extension [ModelCondition] {
    /// Adds a condition to those of its rule, which are sorted by axis. If there is one on the same axis, its range
    /// becomes the common part of both ranges; throws if they have none.
    @_optimize(size)
    mutating func add(_ condition: ModelCondition, _ node: DocumentNode) throws(Failure) {
        for index in indices where self[index].axis == condition.axis {
            self[index].min = Swift.max(self[index].min, condition.min)
            self[index].max = Swift.min(self[index].max, condition.max)
            if self[index].min < self[index].max { return }
            let what: StaticString =
                condition.axis.measure != nil ? "measure" : condition.isAmount ? "revenue" : "event"
            throw node.refuse("cannot hold together with what this rule asked of the same \(what) before")
        }
        insert(condition)
    }

    /// Inserts a condition on an axis that has none yet.
    @_optimize(size)
    mutating func insert(_ condition: ModelCondition) {
        append(condition)
        var place = count &- 1
        while place > 0, self[place &- 1].axis.number > condition.axis.number {
            swapAt(place, place &- 1)
            place &-= 1
        }
    }
}
