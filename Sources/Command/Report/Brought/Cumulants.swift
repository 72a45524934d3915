internal import CSKANSystem

/// The first three cumulants of a sum: those of independent parts are added.
struct Cumulants {
    var mean = 0.0
    var variance = 0.0
    var third = 0.0

    mutating func add(_ more: Cumulants) {
        mean += more.mean
        variance += more.variance
        third += more.third
    }

    /// 95 % of a shifted gamma distribution with these cumulants (Pearson's type III).
    var interval: (low: Double, high: Double) {
        guard variance > 0 else { return (mean, mean) }
        let deviation = variance.squareRoot()
        let skewness = third / (variance * deviation)
        let shape = 4 / (skewness * skewness)
        guard shape < Cumulants.nearlyNormal else {
            return (mean - Cumulants.normal * deviation, mean + Cumulants.normal * deviation)
        }
        let (low, high) = Cumulants.ends(shape)
        let scale = deviation * skewness / 2
        let shift = mean - shape * scale
        let ends = (shift + scale * low, shift + scale * high)
        return skewness > 0 ? ends : (ends.1, ends.0)
    }

    /// From here on the shape's skewness moves the ends by less than 0.1 % of their distance.
    private static var nearlyNormal: Double { 1e7 }
    private static var normal: Double { 1.959963984540054 }

    /// Of a gamma distribution; of a round one by Wilson and Hilferty's cube, which is exact enough there.
    private static func ends(_ shape: Double) -> (low: Double, high: Double) {
        guard shape > 1_000 else {
            let distribution = GammaDistribution(shape: shape)
            return (distribution.quantile(0.025), distribution.quantile(0.975))
        }
        func end(_ deviations: Double) -> Double {
            let root = 1 - 1 / (9 * shape) + deviations / (3 * shape.squareRoot())
            return shape * root * root * root
        }
        return (end(-normal), end(normal))
    }
}
