/// The weight of each state of windows 1 and 2 when installs are drawn for a campaign.
struct LaterWeights {
    private let own: LaterShares
    private let others: LaterShares
    /// The step probabilities and the states of the installs to draw from. Computed on first use, since many groups are
    /// never drawn from.
    private var known: (chain: LaterChain, states: [LaterState])?
    private(set) var weights = PerLaterState<Double>(repeating: 1)
    /// The `LaterOdds.number` of the odds that the weights were computed for.
    private var number = 0

    /// `own`: the installs to draw from; `others`: all installs of their model.
    init(_ own: LaterShares, _ others: LaterShares) { (self.own, self.others) = (own, others) }

    var areKnown: Bool { number != 0 }

    subscript(code: Int) -> Double { weights[code] }

    /// Updates the weights for a campaign with these odds; returns whether the odds are new.
    @discardableResult
    mutating func take(_ odds: borrowing LaterOdds) -> Bool {
        guard odds.number != number else { return false }
        number = odds.number
        let known = known ?? (LaterChain(own, others), LaterState.all.filter { own.counts[$0.code] > 0 })
        self.known = known
        for state in known.states { weights[state.code] = odds.isKnown ? known.chain.weight(state, odds) : 1 }
        return true
    }

    /// The mean weight of the installs that `shares` counts.
    func mean(_ shares: LaterShares) -> Double {
        var (sum, count) = (0.0, 0.0)
        for code in shares.counts.indices {
            sum += shares.counts[code] * weights[code]
            count += shares.counts[code]
        }
        return count > 0 ? sum / count : 1
    }
}
