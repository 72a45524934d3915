/// Draws how much revenue installs bring from one horizon to the next, from what older installs brought.
///
/// The older installs are only a sample. Pólya's urn accounts for that (Rubin, "The Bayesian bootstrap", 1981): each
/// draw puts another copy of the drawn install into the urn. Installs whose state in windows 1 and 2 is likely for the
/// campaign are drawn more often.
struct GrowthUrn {
    /// Growths of the installs that brought anything, grouped by state, the most frequent state first.
    let growths: [Growth]
    /// The number of installs in the sample, with and without growth.
    let count: Int
    let later: LaterShares
    /// The number of installs without growth in the sample, by state in windows 1 and 2.
    private let laterOfOthers: LaterShares
    private var weights: LaterWeights
    /// The mean weight of the installs without growth.
    private var weightOfOthers = 1.0
    /// The total weight of the growths in the urn, including the copies of drawn ones.
    private var weightOfGrowths = 0.0
    private var states: [DrawnGrowths] = []
    /// The number of installs without growth in the urn, including the copies of drawn ones.
    private var others: Int

    /// The growths of installs with the same state.
    private struct DrawnGrowths {
        let code: Int
        let sample: Range<Int>
        /// The indices in `growths` of the growths that were drawn.
        var drawn: [UInt32] = []

        var count: Int { sample.count + drawn.count }
    }

    /// `later`: the states of the whole sample; `all`: the states of all installs of the model.
    init(_ growths: [Growth], count: Int, _ later: LaterShares, _ all: LaterShares) {
        let sizes = growths.reduce(into: [Int](repeating: 0, count: LaterState.count)) { $0[$1.laterCode] += 1 }
        // The most frequent state comes first, since most draws end there.
        func order(_ place: Int) -> (Int, Int, Int) {
            let code = growths[place].laterCode
            return (-sizes[code], code, place)
        }
        let places = growths.indices.sorted { order($0) < order($1) }
        let growths = places.map { growths[$0] }
        var (first, laterOfOthers) = (0, later)
        for (place, growth) in growths.enumerated() {
            laterOfOthers.remove(LaterState(code: growth.laterCode))
            guard place + 1 == growths.count || growths[place + 1].laterCode != growth.laterCode else { continue }
            states.append(DrawnGrowths(code: growth.laterCode, sample: first..<place + 1))
            first = place + 1
        }
        (self.growths, self.count, self.later, self.laterOfOthers) = (growths, count, later, laterOfOthers)
        others = count - growths.count
        weights = LaterWeights(later, all)
        weighGrowths()
    }

    var sum: Double { growths.reduce(0) { $0 + $1.amount } }

    mutating func beginDraw() {
        others = count - growths.count
        for state in states.indices { states[state].drawn.removeAll(keepingCapacity: true) }
        weighGrowths()
    }

    mutating func draw(_ numbers: inout DrawnNumbers, _ odds: borrowing LaterOdds) -> Growth {
        take(odds)
        let withoutGrowth = Double(others) * weightOfOthers
        var wanted = numbers.part() * (withoutGrowth + weightOfGrowths) - withoutGrowth
        guard wanted >= 0, !states.isEmpty else {
            others += 1
            return .nothing
        }
        for state in states.indices {
            wanted -= Double(states[state].count) * weights[states[state].code]
            if wanted < 0 || state + 1 == states.count { return growths[drawPlace(state, &numbers)] }
        }
        return .nothing
    }

    /// Draws the growths of `count` installs whose states are not known, and calls `body` with each growth. The result
    /// has the distribution of `count` single draws: draws from an urn whose members have equal weights are
    /// exchangeable, so the number of installs with growth is beta-binomial.
    mutating func drawMany(_ count: Int, _ numbers: inout DrawnNumbers, _ body: (Growth, inout DrawnNumbers) -> Void) {
        take(.unknown)
        var inUrn = states.reduce(0) { $0 + $1.count }
        guard inUrn > 0, count > 0 else {
            others += count
            return
        }
        let (with, without) = (numbers.gamma(Double(inUrn)), numbers.gamma(Double(others)))
        let drawn = numbers.binomial(count, with / (with + without))
        others += count - drawn
        for _ in 0..<drawn {
            guard let state = state(at: numbers.index(below: inUrn)) else { continue }
            inUrn += 1
            body(growths[drawPlace(state, &numbers)], &numbers)
        }
    }

    /// The index of the state that the growth at this place in the urn belongs to.
    private func state(at place: Int) -> Int? {
        var left = place
        return states.indices.first { state in
            left -= states[state].count
            return left < 0
        }
    }

    /// Draws a growth of this state, and returns its index in `growths`.
    private mutating func drawPlace(_ state: Int, _ numbers: inout DrawnNumbers) -> Int {
        let number = numbers.index(below: states[state].count)
        let sample = states[state].sample
        let place =
            number < sample.count ? sample.lowerBound + number : Int(states[state].drawn[number - sample.count])
        states[state].drawn.append(UInt32(clamping: place))
        weightOfGrowths += weights[states[state].code]
        return place
    }

    private mutating func take(_ odds: borrowing LaterOdds) {
        guard weights.take(odds) else { return }
        weightOfOthers = weights.mean(laterOfOthers)
        weighGrowths()
    }

    private mutating func weighGrowths() {
        weightOfGrowths = 0
        for state in states { weightOfGrowths += Double(state.count) * weights[state.code] }
    }

    /// The mean growth of an install, with each growth capped at `most`.
    func mean(atMost most: Double) -> Double {
        count > 0 ? growths.reduce(0) { $0 + min($1.amount, most) } / Double(count) : 0
    }

    func appended(to growths: inout [Growth], _ count: inout Int, _ later: inout LaterShares) {
        growths += self.growths
        count += self.count
        later.add(self.later)
    }
}

/// The revenue of one install from one horizon to the next, and the install's age in weeks.
struct Growth {
    let amount: Double
    let week: Int
    /// A code of `LaterState`.
    let laterCode: Int

    static var nothing: Growth { Growth(amount: 0, week: 0, laterCode: 0) }
}
