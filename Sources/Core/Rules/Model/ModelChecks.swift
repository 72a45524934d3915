/// Rules, "Model refusals": what the rules of a list must not be to each other.
extension RuleList {
    /// Compares the last rule with the one before it, for raise_only. `fine` is the key that has its fine value.
    @_optimize(size)
    func checkLastRule(_ node: DocumentNode, fine key: StaticString) throws(Failure) {
        let number = rules.count &- 1
        guard number > 0 else { return }
        let (fine, coarse) = (level(rules[number].fine), level(rules[number].coarse))
        let before = (fine: level(rules[number &- 1].fine), coarse: level(rules[number &- 1].coarse))
        if fine < before.fine {
            throw node.refuse(member: key, "with raise_only not below \(before.fine), which the rule before has")
        }
        if coarse < before.coarse {
            let name = coarseName(UInt8(clamping: before.coarse))
            throw node.refuse(
                member: "coarse", "with raise_only not below \(before.coarse) (\(name)), which the rule before has")
        }
    }
}

/// The word for the coarse value 0, 1 or 2.
package func coarseName(_ value: UInt8) -> StaticString {
    switch value {
    case 0: "low"
    case 1: "medium"
    default: "high"
    }
}
