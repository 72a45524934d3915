/// Rules, "Model refusals": what the rules of a window must not be to each other.
extension ModelWindow {
    /// The last rule beside those before it.
    func checkLastRule(_ node: DocumentNode, raiseOnly: Bool) throws(Failure) {
        let number = rules.count &- 1
        let (fine, coarse) = (level(rules[number].fine), level(rules[number].coarse))
        if fine >= 0 {
            for index in 0..<number where level(rules[index].fine) == fine {
                throw node.refuse(member: "fine", "rule \(index) has the fine value \(fine) too")
            }
        }
        guard raiseOnly, number > 0 else { return }
        let before = (fine: level(rules[number &- 1].fine), coarse: level(rules[number &- 1].coarse))
        if fine < before.fine {
            throw node.refuse(member: "fine", "with raise_only not below \(before.fine), which the rule before has")
        }
        if coarse < before.coarse {
            let name = coarseName(UInt8(clamping: before.coarse))
            throw node.refuse(
                member: "coarse", "with raise_only not below \(before.coarse) (\(name)), which the rule before has")
        }
    }

    /// Rules, "Re-engagement models": a decision always has a value.
    @_optimize(size)
    func checkValueAlways(_ node: DocumentNode, _ nodes: [DocumentNode]) throws(Failure) {
        guard let first = rules.first else {
            throw node.refuse("expected a rule, a re-engagement always has a value")
        }
        guard first.conditions.isEmpty, first.revenue == nil else {
            throw nodes[0].refuse(member: "when", "not empty, a re-engagement always has a value")
        }
        if first.locksWindow {
            throw nodes[0].refuse(member: "lock", "the first value of a re-engagement does not lock")
        }
        if let fine = first.fine, fine != 0 {
            throw nodes[0].refuse(member: "fine", "the first fine value of a re-engagement is 0")
        }
        for index in rules.indices where rules[index].coarse == nil {
            throw nodes[index].refuse(member: "coarse", "missing, a rule for re-engagements has one")
        }
    }

    /// No rule may hold only where a later one holds too, which then wins.
    func checkEveryRuleCanWin(_ nodes: [DocumentNode]) throws(Failure) {
        for earlier in rules.indices {
            for later in rules.indices where later > earlier && contains(rules[later], rules[earlier]) {
                throw nodes[earlier].refuse("can never win: wherever it holds, rule \(later) holds too")
            }
        }
    }

    /// Whether every condition of one rule is contained in another's.
    private func contains(_ wide: ModelRule, _ narrow: ModelRule) -> Bool {
        if let revenue = wide.revenue {
            guard let inner = narrow.revenue, inner.axis == revenue.axis, inner.min >= revenue.min,
                inner.max <= revenue.max
            else { return false }
        }
        var position = narrow.conditions.lowerBound
        for index in wide.conditions {
            let outer = conditions[index]
            while position < narrow.conditions.upperBound, conditions[position].axis < outer.axis { position &+= 1 }
            // What a rule does not speak of may be anything from 0 on.
            var (lowest, highest) = (Int64(0), CountCondition.open)
            if position < narrow.conditions.upperBound, conditions[position].axis == outer.axis {
                (lowest, highest) = (conditions[position].min, conditions[position].max)
            }
            guard lowest >= outer.min, highest <= outer.max else { return false }
        }
        return true
    }
}

/// Of 0, 1 and 2.
package func coarseName(_ value: UInt8) -> StaticString {
    switch value {
    case 0: "low"
    case 1: "medium"
    default: "high"
    }
}
