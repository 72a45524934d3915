import CSKANSystem
import SKANCore

/// The probabilities that the app's own installs of one group have a value in windows 1 and 2, step by step: any value;
/// a medium or high one, given any; a high one, given a medium or high one.
struct LaterChain {
    typealias Steps = InlineArray<3, Double>

    private(set) var second = Steps(repeating: 0)
    /// The probabilities of the steps of window 2, for each level in window 1.
    private(set) var third = InlineArray<4, Steps>(repeating: Steps(repeating: 0))

    /// `others`: the installs of all groups of the model, which together count as one more install of this group.
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

    /// The share of installs that took this step, among those that took the step before.
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

    /// The factor by which a state is more likely for a campaign's install with these odds than for one of the app's
    /// own.
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

/// The odds ratio of each step in windows 1 and 2 between a campaign's installs and the app's own with the same values.
struct LaterOdds {
    private var factors = InlineArray<6, Double>(repeating: 1)
    /// A number that is unique for each draw and campaign; 0 if nothing is known.
    private(set) var number = 0

    /// The odds if every step is as likely as for the app's own installs.
    static var unknown: LaterOdds { LaterOdds() }

    /// The index of a step among the six steps of both windows.
    static func place(_ window: Window, _ step: Int) -> Int { window == .third ? 3 + step : step }
    static var count: Int { 6 }

    private init() {}

    /// `logarithms`: the logarithms of the odds ratios, indexed by `place`.
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
