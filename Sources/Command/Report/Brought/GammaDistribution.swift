internal import CSKANSystem

/// The gamma distribution with scale 1. Press et al., Numerical Recipes, "Incomplete Gamma Function".
struct GammaDistribution {
    let shape: Double

    /// The share of it below `x`.
    func below(_ x: Double) -> Double {
        guard x > 0 else { return 0 }
        var sign: Int32 = 0
        let front = exp(shape * log(x) - x - lgamma_r(shape, &sign))
        return x < shape + 1 ? front * series(x) : 1 - front * fraction(x)
    }

    /// Below what `share` of it is, 0 < share < 1.
    func quantile(_ share: Double) -> Double {
        var (low, high) = (0.0, shape + 10)
        while below(high) < share { high *= 2 }
        for _ in 0..<GammaDistribution.halvings {
            let middle = (low + high) / 2
            if below(middle) < share { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private static var halvings: Int { 60 }
    private static var mostTerms: Int { 100_000 }
    private static var exactness: Double { 1e-14 }

    private func series(_ x: Double) -> Double {
        var (term, sum, divisor) = (1 / shape, 1 / shape, shape)
        for _ in 0..<GammaDistribution.mostTerms {
            if term <= sum * GammaDistribution.exactness { break }
            divisor += 1
            term *= x / divisor
            sum += term
        }
        return sum
    }

    /// Lentz's way through the continued fraction.
    private func fraction(_ x: Double) -> Double {
        let tiny = 1e-300
        var b = x + 1 - shape
        var c = 1 / tiny
        var d = 1 / b
        var product = d
        for step in 1...GammaDistribution.mostTerms {
            let a = -Double(step) * (Double(step) - shape)
            b += 2
            d = a * d + b
            if d.magnitude < tiny { d = tiny }
            c = b + a / c
            if c.magnitude < tiny { c = tiny }
            d = 1 / d
            let factor = d * c
            product *= factor
            if (factor - 1).magnitude < GammaDistribution.exactness { break }
        }
        return product
    }
}
