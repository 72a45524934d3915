import CSKANSystem

/// Shares of values, and the score of each value, in whose direction mixes tilt.
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

    /// The observed tilt of these counts, and the variance of its error; nil if they show none. A normal distribution
    /// stands in for the likelihood: it has the same slope and curvature at the most likely tilt under a prior with
    /// this deviation.
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

    /// The mean and the variance of the score if shares are tilted.
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

    /// The mix with this tilt, averaged over its uncertainty.
    func tilted(_ tilt: Tilt) -> [Double] {
        zip(shares, scores).map { share, score in
            share * exp(min(max(tilt.mean, -3), 3) * (score - mean))
        }
    }

    /// Draws a tilted mix. The uncertainty of the tilt does not change the mean share of a value.
    func drawTilted(_ tilt: Tilt, _ numbers: inout DrawnNumbers) -> [Double] {
        let drawn = tilt.mean + tilt.variance.squareRoot() * numbers.normal()
        return zip(shares, scores).map { share, score in
            let distance = score - mean
            return share * exp(drawn * distance - tilt.variance * distance * distance / 2)
        }
    }
}

/// An estimate of a tilt.
struct Tilt {
    var mean: Double
    var variance: Double

    /// Combines a prior with the mean 0 and this deviation with the observations `seen`.
    init(deviation: Double, seen: [Tilt]) {
        let precision = 1 / (deviation * deviation) + seen.reduce(0) { $0 + 1 / $1.variance }
        mean = seen.reduce(0) { $0 + $1.mean / $1.variance } / precision
        variance = 1 / precision
    }

    init(mean: Double, variance: Double) { (self.mean, self.variance) = (mean, variance) }

    func widened(by deviation: Double) -> Tilt { Tilt(mean: mean, variance: variance + deviation * deviation) }
}

/// The number of installs with each value and the expected number, which show how single shares differ apart from the
/// tilt.
struct ValueRatios {
    private(set) var counts: [Double]
    private(set) var expected: [Double]

    /// The weight of the prior: shares typically differ by 1 / √8, about a third.
    private static var weight: Double { 8 }

    init(values: Int) {
        counts = [Double](repeating: 0, count: values)
        expected = counts
    }

    init(_ counts: ArraySlice<Double>, expected: [Double]) {
        (self.counts, self.expected) = ([Double](counts), expected)
    }

    /// Adds the counts of a campaign to its network, or of a network to the app. The more installs, the less each
    /// weighs.
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
