package import SKANCore

/// Sums and shares of money in a report. Refunds can make them negative. They are limited so that the sum of two of
/// them never overflows.
extension Money {
    static var mostReported: Int128 { 1 << 125 }

    /// Adds an amount. Returns false and changes nothing if the sum would exceed the limit.
    package mutating func take(in amount: Money) -> Bool {
        let most = Money.mostReported.magnitude
        guard units.magnitude <= most, amount.units.magnitude <= most else { return false }
        let sum = units + amount.units
        guard sum.magnitude <= most else { return false }
        units = sum
        return true
    }

    /// The amount times `times` / `parts`, rounded half to even; nil if the result would exceed the limit, or if
    /// `parts` is 0.
    package func share(_ times: UInt64, of parts: UInt64) -> Money? {
        guard parts > 0 else { return nil }
        if units < 0 { return Money(units: 0 - units).share(times, of: parts).map { Money(units: 0 - $0.units) } }
        // Divides before multiplying, because the product could exceed the range.
        let (whole, rest) = units.quotientAndRemainder(dividingBy: Int128(parts))
        let most = times > 0 ? Money.mostReported / Int128(times) : Money.mostReported
        guard whole <= most, rest <= most else { return nil }
        var share = Money(units: whole * Int128(times))
        let part = dividedHalfEven(rest * Int128(times), by: Int128(parts), onTopOf: share.units)
        return share.take(in: Money(units: part)) ? share : nil
    }
}

extension Money? {
    /// Adds an amount; nil counts as 0. Returns false if the sum would exceed the limit.
    package mutating func take(in amount: Money) -> Bool {
        var sum = self ?? .zero
        let isFine = sum.take(in: amount)
        self = sum
        return isFine
    }
}

/// The quotient of two numbers, rounded to a whole number; neither is negative and the divisor is not 0. A half is
/// rounded so that the sum of the quotient and `base` is even.
package func dividedHalfEven(_ over: Int128, by under: Int128, onTopOf base: Int128 = 0) -> Int128 {
    let (whole, rest) = over.quotientAndRemainder(dividingBy: under)
    let left = under - rest
    let cut: CutPart = rest < left ? .belowHalf : rest == left ? .half : .aboveHalf
    return (base + whole).roundedHalfEven(cut) - base
}
