import SKANCore

extension RuleList {
    /// The smallest ranges that an install's counts and sums can be in if one of these rules gave its value.
    ///
    /// Rules, "Model decision": the last rule that holds wins, so no later rule held. "$1 or more" followed by "$20 or
    /// more" is therefore a range from 1 to 20. `DecodedValue.envelope` has only what the rules themselves ask for.
    func envelopeWhereTheyWin(_ numbers: [Int]) -> ModelEnvelope {
        var list = RuleList()
        for number in numbers {
            let start = list.conditions.count
            list.conditions += rangesWhereItWins(number)
            var rule = rules[number]
            rule.conditions = start..<list.conditions.count
            list.rules.append(rule)
        }
        return ModelEnvelope(list, Array(list.rules.indices))
    }

    /// The ranges of the counts and sums of an install to which this rule gives its value, sorted by axis.
    private func rangesWhereItWins(_ number: Int) -> [ModelCondition] {
        var ranges = WinningRanges(conditions[rules[number].conditions])
        for later in rules[(number + 1)...] { ranges.leaveOut(conditions[later.conditions]) }
        return ranges.conditions
    }
}

/// The ranges of the counts and sums of an install for which a rule holds and some later rules do not.
private struct WinningRanges {
    /// At most one for each axis, sorted by axis.
    private(set) var conditions: [ModelCondition]

    init(_ conditions: ArraySlice<ModelCondition>) { self.conditions = Array(conditions) }

    /// Excludes the installs for which a later rule holds. `later`: the conditions of that rule. Ranges can express
    /// this only if these conditions narrow them on a single axis; otherwise nothing changes.
    mutating func leaveOut(_ later: ArraySlice<ModelCondition>) {
        var narrower: ModelCondition?
        for condition in later where !isInside(condition) {
            guard narrower == nil else { return }
            narrower = condition
        }
        guard let narrower else { return }
        var range = range(of: narrower)
        if narrower.min <= range.min, narrower.max > range.min {
            range.min = narrower.max
        } else if narrower.max >= range.max, narrower.min < range.max {
            range.max = narrower.min
        } else {
            return
        }
        keep(range)
    }

    private func isInside(_ condition: ModelCondition) -> Bool {
        let range = range(of: condition)
        return range.min >= condition.min && range.max <= condition.max
    }

    /// The range that is known so far on the axis of `condition`; unlimited if there is none.
    private func range(of condition: ModelCondition) -> ModelCondition {
        if let known = conditions.first(where: { $0.axis == condition.axis }) { return known }
        var everything = condition
        everything.min = condition.floor
        everything.max = ModelCondition.open
        return everything
    }

    private mutating func keep(_ range: ModelCondition) {
        let place = conditions.firstIndex { $0.axis.number >= range.axis.number } ?? conditions.endIndex
        if conditions.indices.contains(place), conditions[place].axis == range.axis {
            conditions[place] = range
        } else if !conditions.contains(where: { $0.axis.revenue != nil }) {
            // Beside a range of revenue no other axis is added, because it would not narrow that range: "less than 5
            // from ads" does not limit purchases of 1 or more.
            conditions.insert(range, at: place)
        }
    }
}
