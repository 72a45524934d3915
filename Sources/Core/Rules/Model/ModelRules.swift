/// Rules of which the last one that holds wins.
package struct RuleList: Sendable {
    package var rules: [ModelRule] = []
    /// The conditions of all rules, one rule's after the other's, each rule's by axis, at most one for each.
    package var conditions: [ModelCondition] = []

    package init() {}

    /// Adds a rule behind the others.
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
    /// Its part of the list's conditions.
    package var conditions: Range<Int> = 0..<0
}
