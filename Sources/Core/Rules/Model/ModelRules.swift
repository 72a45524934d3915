/// A list of rules. The last rule whose conditions are met wins.
package struct RuleList: Sendable {
    package var rules: [ModelRule] = []
    /// The conditions of all rules, rule by rule. The conditions of a rule are sorted by axis, at most one for each.
    package var conditions: [ModelCondition] = []

    package init() {}

    @_optimize(size)
    mutating func append(_ rule: ModelRule, _ added: [ModelCondition]) {
        var rule = rule
        let start = conditions.count
        for condition in added { conditions.append(condition) }
        rule.conditions = start..<conditions.count
        rules.append(rule)
    }
}

package struct ModelRule: Sendable {
    package var fine: UInt8?
    package var coarse: UInt8?
    package var locksWindow: Bool
    /// The indices of the rule's conditions among the conditions of its list.
    package var conditions: Range<Int> = 0..<0
}
