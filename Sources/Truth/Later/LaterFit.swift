import CSKANSystem
import SKANCore

/// How likely each step of `LaterChain` is for one campaign's installs, according to its postbacks: the logarithms of
/// the odds ratios to the app's own installs with the same values.
struct LaterFit {
    /// The logarithm of each step's odds ratio, indexed by `LaterOdds.place`; nil for a step without observations.
    private(set) var seen = [Tilt?](repeating: nil, count: LaterOdds.count)
    /// The probability of each step for the campaign's installs, indexed by `LaterOdds.place`; 0 if it is not known.
    private(set) var shares = [Double](repeating: 0, count: LaterOdds.count)
    /// The expected number of values in window 2 if the campaign's installs differ from the app's own only in window 1.
    /// `all`: values of all the campaign's installs; `afterValue`: only of installs with a value in window 1.
    private(set) var ofThird = (all: 0.0, afterValue: 0.0)

    /// Installs that take each step with the same probability.
    private struct Cell {
        var count: Double
        let steps: LaterChain.Steps
        /// Whether the installs had no value in window 1; always false in counts of window 1.
        var isSilent = false

        /// Returns the cell's installs that take a step. `logarithm`: the logarithm of the step's odds ratio.
        func passed(_ step: Int, _ logarithm: Double) -> Cell {
            Cell(count: count * shifted(steps[step], logarithm), steps: steps)
        }
    }

    init() {}

    /// `priors`: the logarithms of odds ratios that other campaigns suggest, with which each fit begins.
    /// `afterSilence`: whether window 2 has a postback even if window 1 had no value.
    init(_ counts: [LaterCounts], _ chains: [LaterChain], _ priors: [Tilt], afterSilence: Bool) {
        var factors = [Double](repeating: 0, count: LaterOdds.count)
        for counts in counts {
            let installs = counts.installs.filter { $0.group < chains.count }
            var cells = installs.flatMap { LaterFit.cells(chains[$0.group], $0.count, counts.window, factors) }
            if counts.window == .third {
                ofThird = (LaterFit.expected(cells), LaterFit.expected(cells.filter { !$0.isSilent }))
                if !afterSilence { cells = cells.filter { !$0.isSilent } }
            }
            var trials = cells.reduce(0) { $0 + $1.count }
            var doubt = counts.crossing
            for kind in LaterKind.allCases {
                let place = LaterOdds.place(counts.window, kind.rawValue)
                let taken = counts.reported(kind)
                factors[place] = add(cells, trials, taken, doubt: doubt, priors[place], kind.rawValue, place)
                cells = cells.map { $0.passed(kind.rawValue, factors[place]) }
                (trials, doubt) = (taken, 0)
            }
        }
    }

    /// The cells of a group's installs: one for window 1; for window 2, one for each level in window 1.
    private static func cells(_ chain: LaterChain, _ count: Double, _ window: Window, _ factors: [Double]) -> [Cell] {
        guard window == .third else { return [Cell(count: count, steps: chain.second)] }
        let odds = LaterOdds(factors, number: 0)
        return chain.third.indices.map { level in
            let state = LaterState(code: (level + 1) * LaterState.Told.count)
            return Cell(
                count: count * chain.second.share(ofLevel: level) * chain.weight(state, odds),
                steps: chain.third[level], isSilent: level == 0)
        }
    }

    /// The number of values in the cells' window that the app's own installs predict.
    private static func expected(_ cells: [Cell]) -> Double {
        cells.reduce(0) { $0 + $1.count * $1.steps[LaterKind.any.rawValue] }
    }

    /// Records the observation that `taken` of `trials` installs took a step; returns the most likely logarithm of the
    /// step's odds ratio. `doubt`: about how many of the trials belong to other installs.
    private mutating func add(
        _ cells: [Cell], _ trials: Double, _ taken: Double, doubt: Double, _ prior: Tilt, _ step: Int, _ place: Int
    ) -> Double {
        let all = cells.reduce(0) { $0 + $1.count }
        guard all > 0, trials > 0 else { return prior.mean }
        let scale = trials / all
        var (logarithm, precision) = (prior.mean, 0.0)
        for _ in 0..<LaterFit.rounds {
            var (mean, variance) = (0.0, 0.0)
            for cell in cells {
                let share = shifted(cell.steps[step], logarithm)
                mean += cell.count * share
                variance += cell.count * share * (1 - share)
            }
            (mean, variance) = (mean * scale, variance * scale)
            guard variance > 0 else { return prior.mean }
            let trust = variance / (variance + doubt * mean / trials)
            precision = variance * trust
            let slope = (min(taken, LaterFit.most * trials) - mean) * trust - (logarithm - prior.mean) / prior.variance
            logarithm += min(max(slope / (precision + 1 / prior.variance), -1), 1)
            shares[place] = mean / trials
        }
        guard precision > LaterFit.least else { return prior.mean }
        // Removes the pull of the prior, so that other campaigns see only what was observed.
        let back = (precision + 1 / prior.variance) / precision
        seen[place] = Tilt(mean: prior.mean + (logarithm - prior.mean) * back, variance: 1 / precision)
        return logarithm
    }

    private static var rounds: Int { 8 }
    /// The largest share of installs that is assumed to have taken a step, since some installs never take it.
    private static var most: Double { 0.98 }
    private static var least: Double { 0.01 }
}

extension LaterChain.Steps {
    /// The share of installs whose value has this level, if they take the steps with these probabilities.
    fileprivate func share(ofLevel level: Int) -> Double {
        var share = level < count ? 1 - self[level] : 1
        for step in 0..<level { share *= self[step] }
        return share
    }
}

/// The probability whose odds are exp(`logarithm`) times the odds of `share`.
private func shifted(_ share: Double, _ logarithm: Double) -> Double {
    let factor = exp(logarithm)
    return share * factor / (1 - share + share * factor)
}
