/// How likely each state of windows 1 and 2 is drawn from some own installs for the campaign that is drawn for.
struct LaterWeights {
    private let chain: LaterChain
    /// The states that there are.
    private let states: [LaterState]
    private(set) var weights = PerLaterState<Double>(repeating: 1)
    private(set) var largest = 1.0
    /// The number of the odds that the weights were made for.
    private var number = 0

    init(_ own: LaterShares, _ others: LaterShares) {
        chain = LaterChain(own, others)
        states = LaterState.all.filter { own.counts[$0.code] > 0 }
    }

    var areKnown: Bool { number != 0 }

    subscript(code: Int) -> Double { weights[code] }

    /// Makes the weights for a campaign; answers whether they changed.
    @discardableResult
    mutating func take(_ odds: borrowing LaterOdds) -> Bool {
        guard odds.number != number else { return false }
        number = odds.number
        largest = 0
        for state in states {
            let weight = odds.isKnown ? chain.weight(state, odds) : 1
            weights[state.code] = weight
            largest = max(largest, weight)
        }
        return true
    }
}
