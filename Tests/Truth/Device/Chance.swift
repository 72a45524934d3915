internal import CSKANSystem

/// Drawn numbers, the same for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
package struct Chance {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 up to, not including, 1.
    package mutating func part() -> Double { Double(bits() >> 11) * 0x1p-53 }

    package mutating func isDrawn(_ share: Double) -> Bool { part() < share }

    package mutating func between(_ low: Double, _ high: Double) -> Double { low + part() * (high - low) }

    package mutating func logUniform(_ low: Double, _ high: Double) -> Double { exp(between(log(low), log(high))) }

    package mutating func among(_ count: Int) -> Int { Int(part() * Double(count)) }

    package mutating func normal(_ deviation: Double) -> Double {
        deviation * (-2 * log(1 - part())).squareRoot() * cos(2 * Double.pi * part())
    }

    package mutating func logNormal(_ median: Double, _ deviation: Double) -> Double { median * exp(normal(deviation)) }

    package mutating func exponential(_ mean: Double) -> Double { -mean * log(1 - part()) }

    package mutating func among(_ numbers: Range<Int64>) -> Int64 {
        numbers.lowerBound + Int64(part() * Double(numbers.count))
    }
}
