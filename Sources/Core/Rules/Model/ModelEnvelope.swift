/// The smallest ranges that hold all that some rules say; what one of them does not speak of is open. Of one rule: its
/// conditions.
package struct ModelEnvelope: Sendable {
    /// Of events, sessions and days, by axis; what no rule speaks of is not among them.
    package private(set) var counts: [CountCondition] = []
    /// By axis, at most one each.
    package private(set) var revenue: [RevenueCondition] = []

    /// Of some rules of a window, by their numbers.
    @_optimize(size)
    package init(_ window: ModelWindow, _ rules: [Int]) {
        for axis in 0..<CountCondition.axes {
            var range: CountCondition?
            var named = 0
            for rule in rules {
                for index in window.rules[rule].conditions where window.conditions[index].axis == axis {
                    let condition = window.conditions[index]
                    named &+= 1
                    var wider = range ?? condition
                    wider.min = min(wider.min, condition.min)
                    wider.max = max(wider.max, condition.max)
                    range = wider
                }
            }
            guard var range else { continue }
            if named < rules.count { (range.min, range.max) = (0, CountCondition.open) }
            counts.append(range)
        }
        for number in 0..<RevenueAxis.count {
            let axis = RevenueAxis(number: number)
            var range: RevenueCondition?
            var named = 0
            for rule in rules {
                guard let condition = window.rules[rule].revenue, condition.axis == axis else { continue }
                named &+= 1
                var wider = range ?? condition
                wider.min = min(wider.min, condition.min)
                wider.max = max(wider.max, condition.max)
                range = wider
            }
            guard var range else { continue }
            if named < rules.count { (range.min, range.max) = (RevenueCondition.openBelow, RevenueCondition.open) }
            revenue.append(range)
        }
    }

    /// Widens the ranges to hold what is there after registering: nothing yet, on day 0.
    @_optimize(size)
    mutating func takeInRegistration() {
        for index in counts.indices { counts[index].min = 0 }
        for index in revenue.indices {
            revenue[index].min = min(revenue[index].min, 0)
            // Of refunds alone.
            if revenue[index].max <= 0 { revenue[index].max = RevenueCondition.open }
        }
    }
}
