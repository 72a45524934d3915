import CSKANSystem

/// The standard deviation of the tilts of several campaigns or networks (see `ValueMix`). The result is the posterior
/// mean under a uniform prior, because the most likely value alone would ignore how uncertain the deviation is if there
/// are few campaigns or networks.
struct TiltFit {
    private var logLikelihood = [Double](repeating: 0, count: TiltFit.steps)

    private static var steps: Int { 60 }
    private static var most: Double { 0.6 }
    /// The standard deviation at the centre of one of the `steps` between 0 and `most`.
    private static func deviation(_ step: Int) -> Double { most * (Double(step) + 0.5) / Double(steps) }

    /// Adds an observed tilt whose error has this variance.
    mutating func add(_ tilt: Double, variance: Double) {
        for step in logLikelihood.indices {
            let deviation = TiltFit.deviation(step)
            let sum = variance + deviation * deviation
            logLikelihood[step] -= 0.5 * (log(sum) + tilt * tilt / sum)
        }
    }

    /// The posterior mean of the standard deviation.
    var deviation: Double {
        let weights = self.weights
        let sum = weights.reduce(0, +)
        return weights.indices.reduce(0) { $0 + weights[$1] * TiltFit.deviation($1) } / sum
    }

    /// The posterior distribution, prepared for many draws.
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

    func draw(_ numbers: inout DrawnNumbers) -> Double { drawing.draw(&numbers) }

    private var weights: [Double] {
        let greatest = logLikelihood.max() ?? 0
        return logLikelihood.map { exp($0 - greatest) }
    }
}
