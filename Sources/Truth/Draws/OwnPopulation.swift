/// The app's own installs of one group. All of them are known, so the ones that campaigns brought are drawn from them
/// without putting back (Cochran, "Sampling Techniques", 2.6).
struct OwnPopulation {
    /// How many there are.
    let count: Int
    /// What payers brought: one age range after the other, and in each one state after the other; a shuffled start of
    /// each is drawn. Installs that brought nothing are all the same, so they have no place.
    private var revenues: [KnownRevenue] = []
    private var ranges: [AgeRange] = []
    /// Those of one range after the other; in each the largest first, since most draws end there.
    private var states: [StateRange] = []
    private var rangeOfWeek: [Int] = []
    /// How many there are of each code of `LaterState`, and how many were not drawn.
    private let counts: LaterShares
    private var left: LaterShares
    private var weights: LaterWeights
    /// How much an install of each code weighs: by its weight, and by how rare it is among those that are left, as it
    /// was some draws ago.
    private var weightOfCode: [Double]
    /// Rises whenever they change, or all installs are put back.
    private var version = 1
    /// The number of installs drawn so far.
    private var drawn = 0

    /// A range has so many, if it can: the day of a postback's install is not known exactly.
    private static var enough: Int { 20 }

    /// `others`: the states of all installs of the model.
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

    /// What all of them brought.
    var sum: InstallRevenue { revenues.reduce(.zero) { $0 + InstallRevenue($1) } }

    /// Adds what they brought after window 2 until now, by the week of their range.
    func addAfterWindows(to weeks: inout [Double]) {
        for state in states where state.week >= Horizon.day35.weeks {
            while weeks.count <= state.week { weeks.append(0) }
            for place in state.payers { weeks[state.week] += revenues[place].afterWindows }
        }
    }

    /// Puts all back.
    mutating func beginDraw() {
        drawn = 0
        left = counts
        for range in ranges.indices { ranges[range].beginDraw() }
        for state in states.indices { states[state].beginDraw() }
        version += 1
    }

    /// Draws one, of this age if there is any left, or of the nearest one. Once all are drawn it is any of them again:
    /// the store lacks installs, or postbacks tell of too many. `odds`: those of the campaign's installs in later
    /// windows. `week`: that of the drawn one.
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
        // In place: swapAt is a call for each of the millions of draws.
        let revenue = revenues[first + number]
        revenues[first + number] = revenues[first]
        revenues[first] = revenue
        return (revenue, ranges[range].week)
    }

    /// Draws any of them.
    private func drawAgain(_ numbers: inout DrawnNumbers) -> (revenue: KnownRevenue, week: Int)? {
        var number = numbers.index(below: count)
        for state in states {
            if number < state.payers.count { return (revenues[state.payers.lowerBound + number], state.week) }
            if number < state.count { return (.zero, state.week) }
            number -= state.count
        }
        return nil
    }

    /// Draws a state of a range, in proportion to the installs that are left and to their weights. Codes that are rare
    /// among the installs that are left weigh more, so that what was drawn for other campaigns before does not change
    /// how many of each code are drawn.
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

    /// The number of draws after which installs are weighed anew.
    private static var refreshed: Int { 16 }
    private static var scarcest: Double { 4 }

    /// Calls `body` with the weeks of those that were not drawn, and their number.
    func forEachLeft(_ body: (_ week: Int, _ count: Int) -> Void) {
        for range in ranges where range.left > 0 { body(range.week, range.left) }
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

/// Collects the installs of neighbouring weeks until they are a range.
private struct OpenRange {
    private(set) var count = 0
    private var weeks = 0
    private var payers: [[KnownRevenue]] = LaterState.all.map { _ in [] }
    private var others = [Int](repeating: 0, count: LaterState.count)

    /// Their week of age in the mean; 0 if there are none.
    var week: Int { count > 0 ? weeks / count : 0 }

    mutating func add(_ installs: AgedInstalls, week: Int) {
        count += installs.count
        weeks += installs.count * week
        for (revenue, code) in zip(installs.revenues, installs.laterCodes) { payers[Int(code)].append(revenue) }
        for code in others.indices { others[code] += Int(installs.withoutRevenue[code]) }
    }

    /// Its states, the largest first; appends what their payers brought.
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
