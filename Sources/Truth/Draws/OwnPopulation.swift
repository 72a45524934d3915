/// The app's own installs of one group. All of them are known, so those that campaigns brought are sampled without
/// replacement (Cochran, "Sampling Techniques", 2.6).
struct OwnPopulation {
    let count: Int
    /// The revenues of payers, by age range and within it by state. Payers already drawn are at the front of their
    /// state. Installs that brought nothing are all alike, so only their number is kept.
    private var revenues: [KnownRevenue] = []
    private var ranges: [AgeRange] = []
    /// The states of all age ranges, one range after the other. The state with the most installs comes first in its
    /// range, since most draws end there.
    private var states: [StateRange] = []
    private var rangeOfWeek: [Int] = []
    private let counts: LaterShares
    /// The number of installs with each state that have not been drawn.
    private var left: LaterShares
    private var weights: LaterWeights
    /// The weight of an install, indexed by the code of its state: the weight for the campaign, times how scarce
    /// earlier draws have made the code. Updated after every few draws.
    private var weightOfCode: [Double]
    /// Increases whenever the weights change or all installs are put back.
    private var version = 1
    private var drawn = 0

    /// Neighbouring weeks of age are joined to a range until it has this many installs, since the day of a postback's
    /// install is not known exactly.
    private static var enough: Int { 20 }

    /// `others`: the states of all of the model's installs in windows 1 and 2.
    init(_ group: InstallGroup, _ others: LaterShares) {
        (counts, left) = (group.later, group.later)
        weights = LaterWeights(group.later, others)
        weightOfCode = [Double](repeating: 1, count: LaterState.count)
        count = group.weeks.reduce(0) { $0 + $1.count }
        var open = OpenRange()
        for (week, installs) in group.weeks.enumerated() {
            open.add(installs, week: week)
            rangeOfWeek.append(ranges.count)
            let isLast = AgeRange.endsStage(week) || week + 1 == group.weeks.count
            guard isLast || open.count >= OwnPopulation.enough else { continue }
            let firstState = states.count
            states += open.states(&revenues)
            ranges.append(AgeRange(states: firstState..<states.count, week: open.week, count: open.count))
            open = OpenRange()
        }
    }

    var sum: InstallRevenue { revenues.reduce(.zero) { $0 + InstallRevenue($1) } }

    /// Adds the revenue between the end of window 2 and now to `weeks`, at the week of age of each install's range.
    func addAfterWindows(to weeks: inout [Double]) {
        for state in states where state.week >= Horizon.day35.weeks {
            while weeks.count <= state.week { weeks.append(0) }
            for place in state.payers { weeks[state.week] += revenues[place].afterWindows }
        }
    }

    /// Puts all installs back for the next draw.
    mutating func beginDraw() {
        drawn = 0
        left = counts
        for range in ranges.indices { ranges[range].beginDraw() }
        for state in states.indices { states[state].beginDraw() }
        version += 1
    }

    /// Draws an install of this age, or of the nearest age that has any left. Once all are drawn, any of them may be
    /// drawn again, because the store lacks installs or postbacks report too many. `odds`: the odds of the campaign's
    /// installs in windows 1 and 2. Returns the revenue of the install and its week of age.
    mutating func draw(week: Int, _ numbers: inout DrawnNumbers, _ odds: borrowing LaterOdds = .unknown)
        -> (revenue: KnownRevenue, week: Int)
    {
        let isOther = weights.take(odds)
        guard drawn < count else { return drawAgain(&numbers) ?? (.zero, week) }
        if isOther || weights.areKnown && drawn % OwnPopulation.refreshed == 0 { weigh() }
        let range = nearest(rangeOfWeek[min(max(week, 0), rangeOfWeek.count - 1)])
        let state = drawState(range, &numbers)
        let code = states[state].code
        left.remove(LaterState(code: code))
        ranges[range].take(weightOfCode[code])
        drawn += 1
        let number = numbers.index(below: states[state].left)
        let isPayer = number < states[state].payersLeft
        defer { states[state].take(isPayer: isPayer) }
        guard isPayer else { return (.zero, ranges[range].week) }
        let first = states[state].firstPayer
        // Swapped here, because swapAt would be a call for each of the millions of draws.
        let revenue = revenues[first + number]
        revenues[first + number] = revenues[first]
        revenues[first] = revenue
        return (revenue, ranges[range].week)
    }

    /// Draws any of the installs, including those already drawn.
    private func drawAgain(_ numbers: inout DrawnNumbers) -> (revenue: KnownRevenue, week: Int)? {
        var number = numbers.index(below: count)
        for state in states {
            if number < state.payers.count { return (revenues[state.payers.lowerBound + number], state.week) }
            if number < state.count { return (.zero, state.week) }
            number -= state.count
        }
        return nil
    }

    /// Draws one of a range's states in proportion to the number and the weight of its installs that are left, and
    /// returns the state's index. A code that earlier draws made scarce weighs more, so that these draws do not change
    /// how many installs of each code the next campaign gets.
    private mutating func drawState(_ range: Int, _ numbers: inout DrawnNumbers) -> Int {
        let places = ranges[range].states
        guard places.count > 1 else { return places.lowerBound }
        if ranges[range].version != version {
            ranges[range].weigh(places.reduce(0) { $0 + weight(states[$1]) }, version: version)
        }
        var wanted = numbers.part() * ranges[range].weight
        var last = places.lowerBound
        for place in places where states[place].left > 0 {
            wanted -= weight(states[place])
            if wanted < 0 { return place }
            last = place
        }
        return last
    }

    private func weight(_ state: StateRange) -> Double { Double(state.left) * weightOfCode[state.code] }

    private mutating func weigh() {
        for code in weightOfCode.indices {
            let isKnown = weights.areKnown && left.counts[code] > 0
            let scarcity = isKnown ? counts.counts[code] / left.counts[code] : 1
            weightOfCode[code] = weights[code] * min(scarcity, OwnPopulation.scarcest)
        }
        version += 1
    }

    /// The weights are updated each time this many installs have been drawn.
    private static var refreshed: Int { 16 }
    private static var scarcest: Double { 4 }

    /// Calls `body` for each age range that has installs left, with its week of age and the number of these installs.
    func forEachLeft(_ body: (_ week: Int, _ count: Int) -> Void) {
        for range in ranges where range.left > 0 { body(range.week, range.left) }
    }

    /// The index of the nearest range that has installs left; there must be one.
    private func nearest(_ range: Int) -> Int {
        var distance = 0
        while ranges[min(range + distance, ranges.count - 1)].left == 0 {
            if ranges[max(range - distance, 0)].left > 0 { return max(range - distance, 0) }
            distance += 1
        }
        return min(range + distance, ranges.count - 1)
    }
}

/// Collects the installs of neighbouring weeks until they make a range.
private struct OpenRange {
    private(set) var count = 0
    private var weeks = 0
    private var payers: [[KnownRevenue]] = LaterState.all.map { _ in [] }
    private var others = [Int](repeating: 0, count: LaterState.count)

    /// The mean week of age of the installs; 0 if there are none.
    var week: Int { count > 0 ? weeks / count : 0 }

    mutating func add(_ installs: AgedInstalls, week: Int) {
        count += installs.count
        weeks += installs.count * week
        for (revenue, code) in zip(installs.revenues, installs.laterCodes) { payers[Int(code)].append(revenue) }
        for code in others.indices { others[code] += Int(installs.withoutRevenue[code]) }
    }

    /// Returns the states of the range, the largest first, and appends the revenues of their payers to `revenues`.
    func states(_ revenues: inout [KnownRevenue]) -> [StateRange] {
        let sizes = LaterState.all.map { payers[$0.code].count + others[$0.code] }
        let codes = sizes.indices.filter { sizes[$0] > 0 }.sorted { (sizes[$1], $0) < (sizes[$0], $1) }
        return codes.map { code in
            let first = revenues.count
            revenues += payers[code]
            return StateRange(code: code, week: week, count: sizes[code], payers: first..<revenues.count)
        }
    }
}
