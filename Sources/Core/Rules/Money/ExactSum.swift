/// Rules, "Re-engagement revenue": an exact sum of amounts times rates, within ±10²⁴. It is a whole number of 10⁻²⁴,
/// stored in two parts, since it needs more than 128 bits.
package struct ExactSum: Equatable, Sendable {
    /// The whole units of 10⁻¹², rounded down.
    package private(set) var units: Int128 = 0
    /// The remainder in units of 10⁻²⁴. It is less than one unit of 10⁻¹².
    package private(set) var rest: UInt64 = 0

    private static var one: UInt64 { 1_000_000_000_000 }
    private static var limit: Int128 { Money.scale &* Money.scale &* Money.scale }

    package static var zero: ExactSum { ExactSum() }

    package init() {}

    /// Creates a sum from its stored parts; nil if a part is out of range.
    package init?(units: Int128, rest: UInt64) {
        self.init(unchecked: units, rest)
        guard rest < ExactSum.one, self == ExactSum.kept(self) else { return nil }
    }

    private init(unchecked units: Int128, _ rest: UInt64) {
        self.units = units
        self.rest = rest
    }

    /// Creates the product of an amount and a rate. Both are in units of 10⁻¹², and at most 10²⁴ units.
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

    /// Clamps the sum to ±10²⁴.
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

    /// The sum rounded half-even to 12 places, which is the amount that rules see.
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
        // Units are rounded down, so those of a negative number are one below its whole part.
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

/// Rules, "Model revenue": units times a rate, rounded half-even to units. The result is clamped to ±10³⁶ units, far
/// more than rules can ask for, so that a sum over all currencies does not overflow.
package func product(_ units: Int128, _ rate: Int128) -> Int128 {
    assert(rate >= 0)
    let limit: UInt128 = UInt128(1_000_000_000_000) * 1_000_000_000_000 * 1_000_000_000_000
    let (whole, rest) = productParts(units.magnitude, rate.magnitude)
    let quotient = whole.map { $0.roundedHalfEven(CutPart(rest, of: 1_000_000_000_000)) } ?? limit
    let magnitude = Int128(truncatingIfNeeded: min(quotient, limit))
    return units < 0 ? -magnitude : magnitude
}

/// The product of units and a rate in whole units, rounded down, and the remainder in 10⁻¹² of a unit. `whole` is nil
/// if the product is far too large.
@inline(__always)
func productParts(_ units: UInt128, _ rate: UInt128) -> (whole: UInt128?, rest: UInt64) {
    let scale: UInt64 = 1_000_000_000_000
    let (high, low) = units.multipliedFullWidth(by: rate)
    // Long division, one word at a time. Totals and rates together have at most 181 bits.
    let (top, first) = UInt64(truncatingIfNeeded: high).quotientAndRemainder(dividingBy: scale)
    let (middle, second) = scale.dividingFullWidth((first, UInt64(truncatingIfNeeded: low >> 64)))
    let (bottom, rest) = scale.dividingFullWidth((second, UInt64(truncatingIfNeeded: low)))
    return (top > 0 ? nil : UInt128(middle) << 64 | UInt128(bottom), rest)
}
