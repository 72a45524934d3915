internal import CSKANSystem
internal import SKANCore

/// How likely own installs of one group are to have a value in windows 1 and 2, step by step: any value, then a medium
/// or high one if they have any, then a high one if they have one of these.
struct LaterChain {
    typealias Steps = InlineArray<3, Double>

    private(set) var second = Steps(repeating: 0)
    /// The steps of window 2, by the level of window 1.
    private(set) var third = InlineArray<4, Steps>(repeating: Steps(repeating: 0))

    /// `others`: the installs of all groups of the model, which count as one more install of this group.
    init(_ own: LaterShares, _ others: LaterShares) {
        for kind in LaterKind.allCases {
            second[kind.rawValue] = LaterChain.share(own, others, .second, kind) { $0[.second].level != nil }
            for level in third.indices {
                third[level][kind.rawValue] = LaterChain.share(own, others, .third, kind) {
                    $0[.second].level == level && $0[.third].level != nil
                }
            }
        }
    }

    /// The share of one step among installs that took the step before.
    private static func share(
        _ own: LaterShares, _ others: LaterShares, _ window: Window, _ kind: LaterKind,
        _ isMeant: (LaterState) -> Bool
    ) -> Double {
        func counts(_ shares: LaterShares) -> (all: Double, taken: Double) {
            let all = shares.sum { isMeant($0) && ($0[window].level ?? -1) >= kind.rawValue }
            return (all, shares.sum { isMeant($0) && kind.includes($0[window]) })
        }
        let (own, others) = (counts(own), counts(others))
        guard others.all > 0 else { return 0 }
        return (own.taken + others.taken / others.all) / (own.all + 1)
    }

    /// How many times as likely as an own install one of a campaign has a state, if its odds are these.
    func weight(_ state: LaterState, _ odds: LaterOdds) -> Double {
        guard let level = state[.second].level else { return 1 }
        let weight = LaterChain.weight(level, second, odds, .second)
        guard let later = state[.third].level else { return weight }
        return weight * LaterChain.weight(later, third[level], odds, .third)
    }

    private static func weight(_ level: Int, _ steps: Steps, _ odds: LaterOdds, _ window: Window) -> Double {
        var weight = 1.0
        for step in 0...min(level, steps.count - 1) {
            let factor = odds[window, step]
            weight *= (step < level ? factor : 1) / (1 - steps[step] + steps[step] * factor)
        }
        return weight
    }
}

/// How many times as high the odds of each step of windows 1 and 2 are for a campaign's installs as for own ones with
/// the same values.
struct LaterOdds {
    private var factors = InlineArray<6, Double>(repeating: 1)
    /// Differs from draw to draw and from campaign to campaign; 0 if nothing is known.
    private(set) var number = 0

    /// Every step is as likely as for own installs.
    static var unknown: LaterOdds { LaterOdds() }

    static func place(_ window: Window, _ step: Int) -> Int { window == .third ? 3 + step : step }
    static var count: Int { 6 }

    private init() {}

    /// `logarithms`: those of the factors, by `place`.
    init(_ logarithms: [Double], number: Int) {
        for (place, logarithm) in logarithms.enumerated().prefix(LaterOdds.count) {
            factors[place] = exp(min(max(logarithm, -LaterOdds.most), LaterOdds.most))
        }
        self.number = number
    }

    private static var most: Double { 3 }
    var isKnown: Bool { number != 0 }

    subscript(window: Window, step: Int) -> Double { factors[LaterOdds.place(window, step)] }
}
