internal import CSKANSystem

/// How much alike the mixes of several campaigns (or networks) are: the concentration κ of the Dirichlet distribution
/// that they are drawn from, fitted to what matters for money, each one's mean of a score of its values.
///
/// A campaign with n values has the mean M of the scores; around a base with mean m and variance v of the score,
/// M is nearly normal with the variance v (n + κ) / (n (κ + 1)). The answer is the mean of log κ under this likelihood
/// and a prior that is uniform in 1/√κ: a maximum alone is too sure of itself with few campaigns.
struct ConcentrationFit {
    private var logLikelihood: [Double]

    private static var steps: Int { 70 }
    private static var least: Double { log(3) }
    private static var most: Double { log(3_000) }

    private static func logConcentration(_ step: Int) -> Double {
        least + (most - least) * Double(step) / Double(steps - 1)
    }

    init() {
        logLikelihood = (0..<ConcentrationFit.steps).map { -0.5 * ConcentrationFit.logConcentration($0) }
    }

    /// Takes in a mix of `counts`, drawn around `base`, whose sum is 1.
    mutating func add(_ counts: ArraySlice<Double>, around base: [Double], _ scores: [Double]) {
        var (number, sum, mean, square) = (0.0, 0.0, 0.0, 0.0)
        for (value, count) in counts.enumerated() {
            number += count
            sum += count * scores[value]
            mean += base[value] * scores[value]
            square += base[value] * scores[value] * scores[value]
        }
        let spread = square - mean * mean
        guard number > 0, spread > 0 else { return }
        let distance = sum / number - mean
        for step in logLikelihood.indices {
            let concentration = exp(ConcentrationFit.logConcentration(step))
            let variance = spread * (number + concentration) / (number * (concentration + 1))
            logLikelihood[step] -= 0.5 * (log(variance) + distance * distance / variance)
        }
    }

    var concentration: Double {
        let greatest = logLikelihood.max() ?? 0
        var (weights, sum) = (0.0, 0.0)
        for step in logLikelihood.indices {
            let weight = exp(logLikelihood[step] - greatest)
            weights += weight
            sum += weight * ConcentrationFit.logConcentration(step)
        }
        return exp(sum / weights)
    }
}
