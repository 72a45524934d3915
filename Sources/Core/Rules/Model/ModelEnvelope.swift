/// The smallest ranges that hold all that some rules say; what one of them does not speak of is open. Of one rule: its
/// conditions.
package struct ModelEnvelope: Sendable {
    /// The conditions, at most one for each axis, and none for an axis that no rule names.
    package private(set) var conditions: [ModelCondition] = []

    /// The envelope of one condition.
    package init(_ condition: ModelCondition) { conditions = [condition] }

    /// The envelope of some rules of a list, which are named by their numbers.
    @_optimize(size)
    package init(_ list: RuleList, _ rules: [Int]) {
        for axis in UInt8(0)..<UInt8(truncatingIfNeeded: ModelAxis.count) {
            var range: ModelCondition?
            var named = 0
            for rule in rules {
                for index in list.rules[rule].conditions where list.conditions[index].axis.number == axis {
                    let condition = list.conditions[index]
                    named &+= 1
                    var wider = range ?? condition
                    wider.min = min(wider.min, condition.min)
                    wider.max = max(wider.max, condition.max)
                    range = wider
                }
            }
            guard var range else { continue }
            if named < rules.count { (range.min, range.max) = (range.floor, ModelCondition.open) }
            conditions.append(range)
        }
    }

    /// Widens the ranges to hold what is there after registering: nothing yet, on day 0.
    @_optimize(size)
    mutating func takeInRegistration() {
        for index in conditions.indices {
            conditions[index].min = min(conditions[index].min, 0)
            // Of refunds alone.
            if conditions[index].max <= 0 { conditions[index].max = ModelCondition.open }
        }
    }

    /// What is said of an axis.
    package func condition(_ axis: ModelAxis) -> ModelCondition? { conditions.first { $0.axis == axis } }

    /// The ranges of revenue, by axis.
    package var revenue: [ModelCondition] { conditions.filter { $0.axis.revenue != nil } }
}
