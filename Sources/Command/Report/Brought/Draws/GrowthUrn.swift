/// What installs bring from one horizon to the next, drawn from what older ones of the same group brought then.
///
/// These older ones are a sample: others might have come. Pólya's urn says so (Rubin, "The Bayesian bootstrap", 1981):
/// each draw is one of the sample or, the likelier the more were drawn, one that was drawn before.
struct GrowthUrn {
    /// Growths of the installs that brought anything.
    let growths: [Growth]
    /// The size of the sample.
    let count: Int
    /// The states that the installs of the sample have in windows 1 and 2, and those of the installs without growth.
    private(set) var later: LaterShares
    private var laterOfOthers: LaterShares
    private var weights: LaterWeights
    /// The mean weight of the installs without growth.
    private var weightOfOthers = 1.0
    /// How many were drawn, and the places of those that brought anything.
    private var drawn = 0
    private var drawnPlaces: [UInt32] = []

    /// `later`: the states of all installs of the sample; `others`: those of all installs of the model.
    init(_ growths: [Growth], count: Int, _ later: LaterShares, _ others: LaterShares) {
        self.growths = growths
        self.count = count
        (self.later, laterOfOthers) = (later, later)
        weights = LaterWeights(later, others)
        for growth in growths { laterOfOthers.remove(LaterState(code: growth.laterCode)) }
    }

    var sum: Double { growths.reduce(0) { $0 + $1.amount } }

    mutating func beginDraw() {
        drawn = 0
        drawnPlaces.removeAll(keepingCapacity: true)
    }

    /// Draws one for a campaign. One is rejected the more often, the less likely the campaign's installs have its state
    /// in windows 1 and 2.
    mutating func draw(_ numbers: inout DrawnNumbers, _ odds: borrowing LaterOdds) -> Growth {
        take(odds)
        var place = drawPlace(&numbers)
        if weights.areKnown {
            for _ in 0..<GrowthUrn.tries {
                let weight = place.map { weights[growths[$0].laterCode] } ?? weightOfOthers
                if numbers.part() * weights.largest < weight { break }
                place = drawPlace(&numbers)
            }
        }
        drawn += 1
        guard let place else { return .nothing }
        drawnPlaces.append(UInt32(clamping: place))
        return growths[place]
    }

    /// nil: one without growth.
    private func drawPlace(_ numbers: inout DrawnNumbers) -> Int? {
        let number = numbers.index(below: count + drawn)
        guard number < growths.count + drawnPlaces.count else { return nil }
        return number < growths.count ? number : Int(drawnPlaces[number - growths.count])
    }

    private mutating func take(_ odds: borrowing LaterOdds) {
        guard weights.take(odds) else { return }
        let count = laterOfOthers.sum { _ in true }
        weightOfOthers = 1
        guard count > 0 else { return }
        weightOfOthers = LaterState.all.reduce(0) { $0 + laterOfOthers.counts[$1.code] * weights[$1.code] } / count
    }

    private static var tries: Int { 32 }

    /// What an install brings in the mean, if none counts more than so much.
    func mean(atMost most: Double) -> Double {
        count > 0 ? growths.reduce(0) { $0 + min($1.amount, most) } / Double(count) : 0
    }

    func appended(to growths: inout [Growth], _ count: inout Int, _ later: inout LaterShares) {
        growths += self.growths
        count += self.count
        later.add(self.later)
    }
}

/// What one install brought after a horizon, and its age in weeks when that was seen.
struct Growth {
    let amount: Double
    let week: Int
    /// The state that the install has in windows 1 and 2, a code of `LaterState`.
    let laterCode: Int

    static var nothing: Growth { Growth(amount: 0, week: 0, laterCode: 0) }
}
