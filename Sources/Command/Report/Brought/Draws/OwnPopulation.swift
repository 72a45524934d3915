/// The app's own installs of one group. All of them are known, so the ones that campaigns brought are drawn from them
/// without putting back (Cochran, "Sampling Techniques", 2.6).
struct OwnPopulation {
    /// How many there are.
    let count: Int
    private let revenues: [KnownRevenue]
    /// One age range after the other, and in each one state after the other; a shuffled start of each is drawn.
    private var members: [OwnMember] = []
    /// How many there are of each code of `LaterState`, and how many were not drawn.
    private let counts: LaterShares
    private var left: LaterShares
    /// How rare each code is among those that are left, as it was some draws ago.
    private var scarcity = PerLaterState<Double>(repeating: 1)
    private var weights: LaterWeights
    private var ranges: [AgeRange] = []
    private var rangeOfWeek: [Int] = []
    /// The number of installs drawn so far.
    private var drawn = 0

    /// A range has so many, if it can: the day of a postback's install is not known exactly.
    private static var enough: Int { 20 }

    /// `others`: the states of all installs of the model.
    init(_ group: InstallGroup, _ others: LaterShares) {
        var revenues: [KnownRevenue] = []
        var open = AgeRange(members: 0..<0, week: 0)
        var byState: [[OwnMember]] = LaterState.all.map { _ in [] }
        for (week, installs) in group.weeks.enumerated() {
            for (place, code) in installs.laterCodes.enumerated() {
                byState[Int(code)].append(OwnMember(revenue: revenues.count + place))
            }
            revenues += installs.revenues
            for code in byState.indices {
                let count = Int(installs.withoutRevenue[code])
                byState[code] += [OwnMember](repeating: OwnMember(revenue: nil), count: count)
            }
            rangeOfWeek.append(ranges.count)
            open.add(installs.count, week: week)
            let isLast = AgeRange.endsStage(week) || week + 1 == group.weeks.count
            if isLast || open.count >= OwnPopulation.enough {
                for code in byState.indices {
                    open.add(byState[code].count, code: code)
                    members += byState[code]
                    byState[code].removeAll(keepingCapacity: true)
                }
                ranges.append(open)
                open = AgeRange(members: members.count..<members.count, week: week + 1)
            }
        }
        self.revenues = revenues
        count = members.count
        (counts, left) = (group.later, group.later)
        weights = LaterWeights(group.later, others)
    }

    /// What all of them brought.
    var sum: InstallRevenue { revenues.reduce(.zero) { $0 + InstallRevenue($1) } }

    /// Adds what they brought after window 2 until now, by the week of their range.
    func addAfterWindows(to weeks: inout [Double]) {
        for range in ranges where range.week >= Horizon.day35.weeks {
            while weeks.count <= range.week { weeks.append(0) }
            for place in range.members { weeks[range.week] += revenue(place).afterWindows }
        }
    }

    /// Puts all back.
    mutating func beginDraw() {
        drawn = 0
        left = counts
        for range in ranges.indices { ranges[range].beginDraw() }
    }

    /// Draws one, of this age if there is any left, or of the nearest one. Once all are drawn it is any of them again:
    /// the store lacks installs, or postbacks tell of too many. `odds`: those of the campaign's installs in later
    /// windows. `week`: that of the drawn one.
    mutating func draw(week: Int, _ numbers: inout DrawnNumbers, _ odds: borrowing LaterOdds = .unknown)
        -> (revenue: KnownRevenue, week: Int)
    {
        weights.take(odds)
        guard drawn < count else {
            let place = numbers.index(below: count)
            let range = ranges.first { $0.members.contains(place) }
            return (revenue(place), range?.week ?? week)
        }
        let wanted = rangeOfWeek[min(max(week, 0), rangeOfWeek.count - 1)]
        let range = nearest(wanted)
        if weights.areKnown, drawn % OwnPopulation.refreshed == 0 { refreshScarcity() }
        let state = drawState(range, &numbers)
        let first = ranges[range].states[state].first
        let place = first + numbers.index(below: ranges[range].states[state].left)
        // In place: swapAt is a call for each of the millions of draws.
        let member = members[place]
        members[place] = members[first]
        members[first] = member
        left.remove(LaterState(code: ranges[range].states[state].code))
        ranges[range].take(state)
        drawn += 1
        return (revenue(first), ranges[range].week)
    }

    /// Draws the place of a state of a range, in proportion to the installs that are left and to their weights. Codes
    /// that are rare among the installs that are left weigh more, so that what was drawn for other campaigns before does
    /// not change how many of each code are drawn.
    private mutating func drawState(_ range: Int, _ numbers: inout DrawnNumbers) -> Int {
        let count = ranges[range].states.count
        guard count > 1 else { return 0 }
        var sum = 0.0
        for state in 0..<count { sum += weight(ranges[range].states[state]) }
        var wanted = numbers.part() * sum
        var last = 0
        for state in 0..<count where ranges[range].states[state].left > 0 {
            wanted -= weight(ranges[range].states[state])
            if wanted < 0 { return state }
            last = state
        }
        return last
    }

    @inline(__always)
    private func weight(_ state: StateRange) -> Double {
        guard weights.areKnown else { return Double(state.left) }
        return Double(state.left) * weights[state.code] * scarcity[state.code]
    }

    private mutating func refreshScarcity() {
        for code in scarcity.indices where left.counts[code] > 0 {
            scarcity[code] = min(counts.counts[code] / left.counts[code], OwnPopulation.scarcest)
        }
    }

    /// The number of draws after which the scarcity is reckoned anew.
    private static var refreshed: Int { 16 }
    private static var scarcest: Double { 4 }

    /// Calls `body` with the weeks of those that were not drawn, and their number.
    func forEachLeft(_ body: (_ week: Int, _ count: Int) -> Void) {
        for range in ranges where range.left > 0 { body(range.week, range.left) }
    }

    private func revenue(_ place: Int) -> KnownRevenue {
        members[place].revenue.map { revenues[$0] } ?? .zero
    }

    /// A range that has some left; there is one.
    private func nearest(_ range: Int) -> Int {
        var distance = 0
        while ranges[min(range + distance, ranges.count - 1)].left == 0 {
            if ranges[max(range - distance, 0)].left > 0 { return max(range - distance, 0) }
            distance += 1
        }
        return min(range + distance, ranges.count - 1)
    }
}

/// One install: the place of its revenue, nil of none. It is one word, as there may be millions.
private struct OwnMember {
    private let place: UInt32

    init(revenue: Int?) { place = revenue.map { min(UInt32(clamping: $0), .max - 1) } ?? .max }

    var revenue: Int? { place == .max ? nil : Int(place) }
}

/// Members of one age range that have the same state in windows 1 and 2.
private struct StateRange {
    let code: Int
    let members: Range<Int>
    fileprivate(set) var drawn = 0

    /// The first member that was not drawn.
    var first: Int { members.lowerBound + drawn }
    var left: Int { members.count - drawn }
}

/// Members of neighbouring weeks of age, all of which are old enough for the same horizons.
private struct AgeRange {
    private(set) var members: Range<Int>
    private(set) var states: [StateRange] = []
    private var weeks = 0
    private var drawn = 0

    init(members: Range<Int>, week: Int) {
        self.members = members
        self.week = week
    }

    /// The week of age in their mean.
    private(set) var week: Int
    var count: Int { members.count }
    var left: Int { members.count - drawn }

    mutating func add(_ count: Int, week: Int) {
        guard count > 0 else { return }
        members = members.lowerBound..<members.upperBound + count
        weeks += count * week
        self.week = weeks / members.count
    }

    /// Says how many members have a state; they stand behind those of the states before.
    mutating func add(_ count: Int, code: Int) {
        guard count > 0 else { return }
        let first = states.last?.members.upperBound ?? members.lowerBound
        states.append(StateRange(code: code, members: first..<first + count))
    }

    mutating func beginDraw() {
        drawn = 0
        for state in states.indices { states[state].drawn = 0 }
    }

    mutating func take(_ state: Int) {
        states[state].drawn += 1
        drawn += 1
    }

    /// Whether installs that are a week older are old enough for another horizon.
    static func endsStage(_ week: Int) -> Bool { Horizon.dated.contains { $0.weeks == week + 1 } }
}
