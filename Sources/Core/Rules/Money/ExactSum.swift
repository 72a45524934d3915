/// Rules, "Re-engagement revenue": a sum of amounts times rates, exactly, within ±10²⁴: a whole number of 10⁻²⁴ in two
/// parts, since it has more digits than 128 bits.
package struct ExactSum: Equatable, Sendable {
    /// The whole units of 10⁻¹², rounded down.
    package private(set) var units: Int128 = 0
    /// The rest in units of 10⁻²⁴; less than one whole unit.
    package private(set) var rest: UInt64 = 0

    private static var one: UInt64 { 1_000_000_000_000 }
    private static var limit: Int128 { Money.scale &* Money.scale &* Money.scale }

    package static var zero: ExactSum { ExactSum() }

    package init() {}

    /// Makes a sum of stored parts; nil if a part is out of its range.
    package init?(units: Int128, rest: UInt64) {
        self.init(unchecked: units, rest)
        guard rest < ExactSum.one, self == ExactSum.kept(self) else { return nil }
    }

    private init(unchecked units: Int128, _ rest: UInt64) {
        self.units = units
        self.rest = rest
    }

    /// An amount times a rate, both in 10⁻¹², of at most 10²⁴ each.
    package init(_ amount: Money, times rate: Int128) {
        let (quotient, remainder) = productParts(amount.units.magnitude, rate.magnitude)
        let whole = quotient.map { Int128(truncatingIfNeeded: $0) } ?? ExactSum.limit
        if amount.units >= 0 {
            self.init(unchecked: whole, remainder)
        } else if remainder == 0 {
            self.init(unchecked: -whole, 0)
        } else {
            self.init(unchecked: -whole &- 1, ExactSum.one &- remainder)
        }
    }

    /// The sum, kept within ±10²⁴.
    package func adding(_ other: ExactSum) -> ExactSum {
        let rest = rest &+ other.rest
        let carries = rest >= ExactSum.one
        return ExactSum.kept(
            ExactSum(
                unchecked: units &+ other.units &+ (carries ? 1 : 0), carries ? rest &- ExactSum.one : rest))
    }

    private static func kept(_ sum: ExactSum) -> ExactSum {
        if sum.units >= limit { return ExactSum(unchecked: limit, 0) }
        return sum.units < -limit ? ExactSum(unchecked: -limit, 0) : sum
    }

    /// The amount that rules see: rounded half-even to 12 places.
    package var rounded: Money {
        let half = ExactSum.one / 2
        let isUp = rest > half || (rest == half && units & 1 != 0)
        return Money(units: isUp ? units &+ 1 : units)
    }

    /// Writes all places as a plain decimal, without trailing zeros.
    @_optimize(size)
    package func write(to text: inout ByteBuffer) {
        guard rest != 0 else { return Money(units: units).write(to: &text) }
        let isNegative = units < 0
        // Rounded down, the part above is what a negative number has to give back.
        let magnitude = (isNegative ? -(units &+ 1) : units).magnitude
        let (whole, high) = magnitude.quotientAndRemainder(dividingBy: UInt128(ExactSum.one))
        if isNegative { text.append(UInt8(ascii: "-")) }
        Money(units: Int128(truncatingIfNeeded: whole &* UInt128(ExactSum.one))).write(to: &text)
        text.append(UInt8(ascii: "."))
        text.append(decimal: UInt64(truncatingIfNeeded: high), digits: 12)
        var (low, places) = (isNegative ? ExactSum.one &- rest : rest, 12)
        while low % 10 == 0 {
            low /= 10
            places &-= 1
        }
        text.append(decimal: low, digits: places)
    }
}
