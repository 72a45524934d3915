/// Rules, "Model revenue": an amount times a rate.

/// Units times a rate, rounded half-even to units. Beyond ±10³⁶ units, far above what rules can ask for, it stays
/// there, so that a sum over all currencies has room.
package func product(_ units: Int128, _ rate: Int128) -> Int128 {
    assert(rate >= 0)
    let limit: UInt128 = UInt128(1_000_000_000_000) * 1_000_000_000_000 * 1_000_000_000_000
    let (whole, rest) = productParts(units.magnitude, rate.magnitude)
    let quotient = whole.map { $0.roundedHalfEven(CutPart(rest, of: 1_000_000_000_000)) } ?? limit
    let magnitude = Int128(truncatingIfNeeded: min(quotient, limit))
    return units < 0 ? -magnitude : magnitude
}

/// Units times a rate, in whole units, rounded down, and the rest in parts of them; nil where that is far too much.
@inline(__always)
func productParts(_ units: UInt128, _ rate: UInt128) -> (whole: UInt128?, rest: UInt64) {
    let scale: UInt64 = 1_000_000_000_000
    let (high, low) = units.multipliedFullWidth(by: rate)
    // Long division, a word at a time. Totals and rates have at most 181 bits together.
    let (top, first) = UInt64(truncatingIfNeeded: high).quotientAndRemainder(dividingBy: scale)
    let (middle, second) = scale.dividingFullWidth((first, UInt64(truncatingIfNeeded: low >> 64)))
    let (bottom, rest) = scale.dividingFullWidth((second, UInt64(truncatingIfNeeded: low)))
    return (top > 0 ? nil : UInt128(middle) << 64 | UInt128(bottom), rest)
}
