/// Finds the last rule whose conditions are met, without looking at each rule. Each axis is divided into intervals by
/// the bounds in rules, and each interval has the set of rules that accept values in it. The conditions of a rule are
/// met if the rule is in the sets of all axes.
final class RuleIndex: Sendable {
    /// An axis that rules have conditions on. It has one set more than it has bounds.
    struct Axis {
        let axis: ModelAxis
        /// The smallest possible value on the axis.
        let floor: Int128
        /// The range of the axis's bounds in `RuleIndex.bounds`.
        let bounds: Range<Int>
        /// The index in `RuleIndex.sets` of the axis's first set.
        let firstSet: Int
    }

    let ruleCount: Int
    let axes: [Axis]
    /// The bounds of all axes, axis by axis, in ascending order within each.
    private let bounds: [Int128]
    private let sets: [RuleSet]

    @_optimize(size)
    init(_ list: RuleList) {
        var builder = RuleIndexBuilder()
        for axis in UInt8(0)..<UInt8(truncatingIfNeeded: ModelAxis.count) { builder.add(axis, list) }
        ruleCount = list.rules.count
        axes = builder.axes
        bounds = builder.bounds
        sets = builder.sets
    }

    /// The rules that accept a value on an axis.
    @inline(__always)
    func rules(_ axis: Axis, taking value: Int128) -> RuleSet { sets[set(axis, of: value)] }

    /// The index in `sets` of the rules that accept a value on an axis.
    @inline(__always)
    private func set(_ axis: Axis, of value: Int128) -> Int {
        var (low, high) = (axis.bounds.lowerBound, axis.bounds.upperBound)
        while low < high {
            let middle = (low &+ high) / 2
            if bounds[middle] <= value { low = middle &+ 1 } else { high = middle }
        }
        return axis.firstSet &+ low &- axis.bounds.lowerBound
    }

    /// The first rule that can never win, because a later rule's conditions are met whenever its own are, and that
    /// later rule; nil if every rule can win.
    @_optimize(size)
    func ruleThatNeverWins(in list: RuleList) -> (rule: Int, later: Int)? {
        for rule in list.rules.indices {
            var holding = RuleSet(first: ruleCount)
            for axis in axes {
                // On an axis that the rule has no condition on, every possible value counts.
                var (least, end) = (axis.floor, ModelCondition.open)
                for index in list.rules[rule].conditions where list.conditions[index].axis == axis.axis {
                    (least, end) = (list.conditions[index].min, list.conditions[index].max)
                }
                for number in set(axis, of: least)...set(axis, of: end &- 1) {
                    holding.formIntersection(sets[number])
                }
            }
            if let later = holding.first(after: rule) { return (rule, later) }
        }
        return nil
    }
}

private struct RuleIndexBuilder {
    var axes: [RuleIndex.Axis] = []
    var bounds: [Int128] = []
    var sets: [RuleSet] = []

    @_optimize(size)
    mutating func add(_ axis: UInt8, _ list: RuleList) {
        guard let condition = list.conditions.first(where: { $0.axis.number == axis }) else { return }
        let start = bounds.count
        for condition in list.conditions where condition.axis.number == axis {
            insert(condition.min, from: start)
            insert(condition.max, from: start)
        }
        axes.append(
            RuleIndex.Axis(
                axis: condition.axis, floor: condition.floor, bounds: start..<bounds.count, firstSet: sets.count))
        // One set for values below the first bound, and one for values from each bound on.
        let firstSet = sets.count
        for _ in start...bounds.count { sets.append(RuleSet()) }
        for number in list.rules.indices {
            var (first, end) = (firstSet, sets.count)
            for index in list.rules[number].conditions where list.conditions[index].axis.number == axis {
                first = firstSet &+ 1 &+ place(of: list.conditions[index].min, from: start) &- start
                end = firstSet &+ 1 &+ place(of: list.conditions[index].max, from: start) &- start
            }
            for set in first..<end { sets[set].insert(number) }
        }
    }

    /// The index of the first bound that is not less than `bound`.
    @_optimize(size)
    private func place(of bound: Int128, from start: Int) -> Int {
        var (low, high) = (start, bounds.count)
        while low < high {
            let middle = (low &+ high) / 2
            if bounds[middle] < bound { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Inserts a bound among those of its axis, unless it is already there.
    @_optimize(size)
    private mutating func insert(_ bound: Int128, from start: Int) {
        let place = place(of: bound, from: start)
        if place < bounds.count, bounds[place] == bound { return }
        bounds.append(bound)
        var index = bounds.count &- 1
        while index > place {
            bounds.swapAt(index, index &- 1)
            index &-= 1
        }
    }
}

/// A set of rules, given by their numbers, which are below 256.
struct RuleSet: Sendable {
    private var words: InlineArray<4, UInt64>

    @inline(__always)
    init() { words = InlineArray(repeating: 0) }

    /// Creates the set of the first `count` rules.
    @inline(__always)
    init(first count: Int) {
        words = InlineArray { index in
            let rest = count &- index &* 64
            return rest >= 64 ? UInt64.max : rest <= 0 ? 0 : 1 << UInt64(truncatingIfNeeded: rest) &- 1
        }
    }

    mutating func insert(_ number: Int) {
        words[number / 64] |= 1 << UInt64(truncatingIfNeeded: number & 63)
    }

    @inline(__always)
    mutating func formIntersection(_ other: RuleSet) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    @_optimize(size)
    func first(after number: Int) -> Int? {
        for other in (number &+ 1)..<256 where words[other / 64] >> UInt64(truncatingIfNeeded: other & 63) & 1 != 0 {
            return other
        }
        return nil
    }

    /// The greatest number in the set; -1 if the set is empty.
    @inline(__always)
    var last: Int {
        for index in words.indices.reversed() where words[index] != 0 {
            return index &* 64 &+ 63 &- words[index].leadingZeroBitCount
        }
        return -1
    }
}
