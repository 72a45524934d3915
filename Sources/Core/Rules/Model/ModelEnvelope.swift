/// The smallest range on each axis that includes the conditions of several rules. A range is open if one of the rules
/// has no condition on its axis. The envelope of a single rule has the rule's own conditions.
package struct ModelEnvelope: Sendable {
    /// The conditions, at most one for each axis, and none for an axis that no rule names.
    package private(set) var conditions: [ModelCondition] = []

    /// `rules`: the numbers of rules in `list`.
    @_optimize(size)
    package init(_ list: RuleList, _ rules: [Int]) {
        // For each of `conditions`, the number of rules that have a condition on its axis.
        var named: [Int] = []
        for rule in rules {
            for index in list.rules[rule].conditions { widen(by: list.conditions[index], &named) }
        }
        for place in conditions.indices where named[place] < rules.count {
            conditions[place].min = conditions[place].floor
            conditions[place].max = ModelCondition.open
        }
    }

    /// Widens the range on the condition's axis to include the condition, or inserts the condition if there is no such
    /// range. Ranges are sorted by axis.
    @_optimize(size)
    private mutating func widen(by condition: ModelCondition, _ named: inout [Int]) {
        var place = conditions.count
        while place > 0, conditions[place &- 1].axis.number > condition.axis.number { place &-= 1 }
        if place > 0, conditions[place &- 1].axis == condition.axis {
            conditions[place &- 1].min = min(conditions[place &- 1].min, condition.min)
            conditions[place &- 1].max = max(conditions[place &- 1].max, condition.max)
            named[place &- 1] &+= 1
            return
        }
        conditions.append(condition)
        named.append(1)
        var last = conditions.count &- 1
        while last > place {
            conditions.swapAt(last, last &- 1)
            named.swapAt(last, last &- 1)
            last &-= 1
        }
    }

    /// Widens the ranges to include an install that was just registered, on day 0, for which nothing was counted yet.
    @_optimize(size)
    package mutating func takeInRegistration() {
        for index in conditions.indices {
            conditions[index].min = min(conditions[index].min, 0)
            // Only refunds lead to such a range.
            if conditions[index].max <= 0 { conditions[index].max = ModelCondition.open }
        }
    }

    package func condition(_ axis: ModelAxis) -> ModelCondition? { conditions.first { $0.axis == axis } }

    package var revenue: [ModelCondition] { conditions.filter { $0.axis.revenue != nil } }
}
