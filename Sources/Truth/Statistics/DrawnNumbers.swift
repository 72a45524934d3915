import CSKANSystem

/// Random numbers that are the same in every report: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014).
struct DrawnNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A uniformly distributed index in 0..<count; `count` is more than 0.
    mutating func index(below count: Int) -> Int {
        Int(truncatingIfNeeded: bits().multipliedFullWidth(by: UInt64(clamping: count)).high)
    }

    /// A uniformly distributed number between 0 and 1, both excluded.
    mutating func part() -> Double { (Double(bits() >> 12) + 0.5) / 0x10_0000_0000_0000 }

    mutating func isDrawn(_ probability: Double) -> Bool { part() < probability }

    /// A normally distributed number with the mean 0 and the standard deviation 1 (Box and Muller).
    mutating func normal() -> Double { (-2 * log(part())).squareRoot() * cos(2 * Double.pi * part()) }

    /// A binomially distributed number: how many of `count` trials succeed with this probability (Devroye, "Non-uniform
    /// random variate generation", X.4.3: the median of `count` uniform numbers is beta distributed and settles half of
    /// them at once).
    mutating func binomial(_ count: Int, _ probability: Double) -> Int {
        var (count, probability, drawn) = (count, probability, 0)
        while count > 24 {
            let place = 1 + count / 2
            let (below, above) = (gamma(Double(place)), gamma(Double(count + 1 - place)))
            let part = below / (below + above)
            if part < probability {
                drawn += place
                count -= place
                probability = (probability - part) / (1 - part)
            } else {
                count = place - 1
                probability /= part
            }
        }
        for _ in 0..<count where isDrawn(probability) { drawn += 1 }
        return drawn
    }

    /// A gamma distributed number with the scale 1 (Marsaglia and Tsang, "A simple method for generating gamma
    /// variables", 2000); 0 if the shape is not positive.
    mutating func gamma(_ shape: Double) -> Double {
        guard shape > 0 else { return 0 }
        guard shape >= 1 else { return gamma(shape + 1) * exp(log(part()) / shape) }
        let d = shape - 1 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = normal()
            let v = (1 + c * x) * (1 + c * x) * (1 + c * x)
            if v > 0, log(part()) < x * x / 2 + d - d * v + d * log(v) { return d * v }
        }
    }
}

/// The probability that something holds, from the values of all draws; never exactly 0 or 1. `holds`: 1 if it holds in
/// a draw, 0 if not, 0.5 if it is undecided.
func drawnChance(_ drawn: [Double], holds: (Double) -> Double) -> Double {
    (drawn.reduce(0) { $0 + holds($1) } + 0.5) / Double(drawn.count + 1)
}
