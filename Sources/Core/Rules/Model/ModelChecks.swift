/// Rules, "Model refusals": checks the rules of a list against each other.
extension RuleList {
    /// Throws if the last rule has a lower value than the one before it, which raise_only forbids. `fine`: the key of
    /// the rule's fine value, for the message.
    @_optimize(size)
    func checkLastRule(_ node: DocumentNode, fine key: StaticString) throws(Failure) {
        let number = rules.count &- 1
        guard number > 0 else { return }
        let (fine, coarse) = (level(rules[number].fine), level(rules[number].coarse))
        let before = (fine: level(rules[number &- 1].fine), coarse: level(rules[number &- 1].coarse))
        if fine < before.fine {
            throw node.refuse(
                member: key, "expected at least \(before.fine), as in the rule before, because of raise_only")
        }
        if coarse < before.coarse {
            let name = coarseName(UInt8(clamping: before.coarse))
            throw node.refuse(
                member: "coarse",
                "expected at least \(before.coarse) (\(name)), as in the rule before, because of raise_only")
        }
    }
}

extension RuleList {
    /// Rules, "Re-engagement models": checks that the first rule has no conditions, no lock, and no fine value but 0.
    /// `hasCoarse`: whether each rule must have a coarse value.
    @_optimize(size)
    func checkValueAlways(_ node: DocumentNode, hasCoarse: Bool) throws(Failure) {
        let nodes = try node.elements()
        guard let first = rules.first, let firstNode = nodes.first else {
            throw node.refuse("expected at least one rule: a re-engagement always has a value")
        }
        guard first.conditions.isEmpty else {
            throw firstNode.refuse(member: "when", "expected no condition: a re-engagement always has a value")
        }
        if first.locksWindow {
            throw firstNode.refuse(member: "lock", "expected no lock: the first value of a re-engagement never locks")
        }
        if let fine = first.fine, fine != 0 {
            throw firstNode.refuse(member: "fine", "expected 0, the first fine value of every re-engagement")
        }
        guard hasCoarse else { return }
        for index in rules.indices where rules[index].coarse == nil {
            // The rules of a generator have the same node. Either all of them have a coarse value or none has.
            let place = index < nodes.count && nodes.count == rules.count ? nodes[index] : node
            throw place.refuse(member: "coarse", "missing, a rule for re-engagements has one")
        }
    }
}

/// `value`: 0, 1 or 2.
package func coarseName(_ value: UInt8) -> StaticString {
    switch value {
    case 0: "low"
    case 1: "medium"
    default: "high"
    }
}
