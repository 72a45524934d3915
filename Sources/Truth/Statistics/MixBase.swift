import CSKANSystem

/// A mix of values: the share and the score of each value. A tilt makes values with a high score more frequent, or, if
/// the tilt is negative, less frequent.
struct MixBase {
    let shares: [Double]
    private let scores: [Double]
    private let mean: Double
    private let variance: Double

    init(_ weights: [Double], _ scores: [Double]) {
        let sum = weights.reduce(0, +)
        let shares = sum > 0 ? weights.map { $0 / sum } : weights
        let mean = zip(shares, scores).reduce(0) { $0 + $1.0 * $1.1 }
        self.shares = shares
        self.scores = scores
        self.mean = mean
        variance = zip(shares, scores).reduce(0) { $0 + $1.0 * ($1.1 - mean) * ($1.1 - mean) }
    }

    /// The tilt of these counts relative to the mix, and the variance of its error; nil without counts, or if all
    /// scores are equal. Approximates the likelihood by a normal curve that has the likelihood's slope and curvature at
    /// the mode of the posterior. The posterior's prior is a normal distribution with standard deviation `deviation`.
    func tilt(_ counts: ArraySlice<Double>, deviation: Double) -> Tilt? {
        let number = counts.reduce(0, +)
        guard number > 0, variance > 0 else { return nil }
        let seen = zip(counts, scores).reduce(0) { $0 + $1.0 * $1.1 } / number
        var tilt = 0.0
        var precision = number * variance
        let prior = 1 / (deviation * deviation)
        for _ in 0..<MixBase.steps {
            let (mean, variance) = moments(tilt)
            precision = number * variance
            tilt += min(max((number * (seen - mean) - prior * tilt) / (precision + prior), -1), 1)
        }
        return Tilt(mean: tilt * (precision + prior) / precision, variance: 1 / precision)
    }

    private static var steps: Int { 6 }

    /// The mean and the variance of the score after the shares are tilted.
    private func moments(_ tilt: Double) -> (mean: Double, variance: Double) {
        var (sum, first, second) = (0.0, 0.0, 0.0)
        for (share, score) in zip(shares, scores) where share > 0 {
            let distance = score - mean
            let weight = share * exp(tilt * distance)
            sum += weight
            first += weight * distance
            second += weight * distance * distance
        }
        let center = first / sum
        return (mean + center, max(second / sum - center * center, variance / 1000))
    }

    /// The weights of the values after a tilt by the mean of `tilt`, limited to ±3.
    func tilted(_ tilt: Tilt) -> [Double] {
        zip(shares, scores).map { share, score in
            share * exp(min(max(tilt.mean, -3), 3) * (score - mean))
        }
    }

    /// Draws a tilted mix. The uncertainty of the tilt does not change the mean weight of a value.
    func drawTilted(_ tilt: Tilt, _ numbers: inout DrawnNumbers) -> [Double] {
        let drawn = tilt.mean + tilt.variance.squareRoot() * numbers.normal()
        return zip(shares, scores).map { share, score in
            let distance = score - mean
            return share * exp(drawn * distance - tilt.variance * distance * distance / 2)
        }
    }
}

/// An estimate of a tilt (see `MixBase`).
struct Tilt {
    var mean: Double
    var variance: Double

    /// Combines the observations `seen` with a prior that has the mean 0 and this deviation.
    init(deviation: Double, seen: [Tilt]) {
        let precision = 1 / (deviation * deviation) + seen.reduce(0) { $0 + 1 / $1.variance }
        mean = seen.reduce(0) { $0 + $1.mean / $1.variance } / precision
        variance = 1 / precision
    }

    init(mean: Double, variance: Double) { (self.mean, self.variance) = (mean, variance) }

    func widened(by deviation: Double) -> Tilt { Tilt(mean: mean, variance: variance + deviation * deviation) }
}

/// The observed and the expected number of installs with each value. Their ratios show how single shares differ beyond
/// the tilt.
struct ValueRatios {
    private(set) var counts: [Double]
    private(set) var expected: [Double]

    /// The weight of the prior. Its standard deviation is 1 / √8: shares typically differ by about a third.
    private static var weight: Double { 8 }

    init(values: Int) {
        counts = [Double](repeating: 0, count: values)
        expected = counts
    }

    init(_ counts: ArraySlice<Double>, expected: [Double]) {
        (self.counts, self.expected) = ([Double](counts), expected)
    }

    /// Adds the counts of a campaign to its network, or of a network to the app. The more installs a value is expected
    /// to have, the less each of them weighs.
    mutating func add(_ below: ValueRatios) {
        for value in counts.indices {
            let weight = ValueRatios.weight / (ValueRatios.weight + below.expected[value])
            counts[value] += weight * below.counts[value]
            expected[value] += weight * below.expected[value]
        }
    }

    func ratio(_ value: Int) -> Double {
        (ValueRatios.weight + counts[value]) / (ValueRatios.weight + expected[value])
    }

    func drawRatio(_ value: Int, _ numbers: inout DrawnNumbers) -> Double {
        numbers.gamma(ValueRatios.weight + counts[value]) / (ValueRatios.weight + expected[value])
    }
}
