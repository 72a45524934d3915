internal import CSKANSystem

/// How far the mixes of several campaigns, or networks, lean towards dear or cheap values: the standard deviation of
/// their tilts (see `ValueMix`). The answer is a mean under the likelihood and a prior that is even from 0 on: a
/// maximum alone is too certain if there are few.
struct TiltFit {
    private var logLikelihood = [Double](repeating: 0, count: TiltFit.steps)

    private static var steps: Int { 60 }
    private static var most: Double { 0.6 }
    /// Each stands for the deviations around it.
    private static func deviation(_ step: Int) -> Double { most * (Double(step) + 0.5) / Double(steps) }

    /// Takes in a tilt that was seen with an error of this variance.
    mutating func add(_ tilt: Double, variance: Double) {
        for step in logLikelihood.indices {
            let deviation = TiltFit.deviation(step)
            let sum = variance + deviation * deviation
            logLikelihood[step] -= 0.5 * (log(sum) + tilt * tilt / sum)
        }
    }

    /// The mean of those that may be.
    var deviation: Double {
        let weights = self.weights
        let sum = weights.reduce(0, +)
        return weights.indices.reduce(0) { $0 + weights[$1] * TiltFit.deviation($1) } / sum
    }

    /// The deviations by how likely they are: many are drawn of one fit.
    struct Drawing {
        fileprivate let weights: [Double]
        fileprivate let sum: Double

        func draw(_ numbers: inout DrawnNumbers) -> Double {
            var left = numbers.part() * sum
            for (step, weight) in weights.enumerated() {
                left -= weight
                if left < 0 { return TiltFit.deviation(step) }
            }
            return TiltFit.most
        }
    }

    var drawing: Drawing {
        let weights = weights
        return Drawing(weights: weights, sum: weights.reduce(0, +))
    }

    /// One that may be, as likely as what was taken in says.
    func draw(_ numbers: inout DrawnNumbers) -> Double { drawing.draw(&numbers) }

    private var weights: [Double] {
        let greatest = logLikelihood.max() ?? 0
        return logLikelihood.map { exp($0 - greatest) }
    }
}
