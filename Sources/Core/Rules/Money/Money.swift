/// Rules, "Money is exact": an amount of a currency as a whole number of 10⁻¹² units.
package struct Money: Equatable, Sendable {
    package var units: Int128

    /// The number of units in an amount of 1.
    package static var scale: Int128 { 1_000_000_000_000 }
    package static var decimals: Int { 12 }
    /// The limit of totals, in units: they stay below 10¹⁸ of a currency.
    package static var limit: Int128 { 1_000_000_000_000_000_000 * 1_000_000_000_000 }

    package static var zero: Money { Money(units: 0) }

    @inline(__always)
    package init(units: Int128) { self.units = units }

    package var isWithinLimit: Bool { units < Money.limit && units > -Money.limit }

    /// Nil if the sum is not within the limit. Both amounts must be within it.
    @inline(__always)
    package func adding(_ other: Money) -> Money? {
        assert(isWithinLimit && other.isWithinLimit)
        let sum = Money(units: units &+ other.units)
        return sum.isWithinLimit ? sum : nil
    }
}

extension Money {
    /// Converts a double by its shortest decimal form, rounded half-even to 12 places; nil unless it is finite and its
    /// magnitude is below 10¹².
    package init?(exactly amount: Double) {
        guard amount.isFinite, amount.magnitude < 1e12 else { return nil }
        if let money = Money(fewDigits: amount) {
            self = money
            return
        }
        let money = withNumberText(amount) { Money(decimal: $0) }
        guard let money else { return nil }
        self = money
    }

    /// Converts amounts of at most 15 significant digits and 6 decimal places, as nearly all are; nil for others.
    /// Different decimals with so few digits are different doubles, so a decimal that reads back as `amount` is the
    /// shortest form of `amount`.
    @inline(__always)
    private init?(fewDigits amount: Double) {
        let hundredths = Money.units(amount, of: 10_000_000_000, perOne: 100)
        guard let units = hundredths ?? Money.units(amount, of: 1_000_000, perOne: 1e6) else { return nil }
        self.init(units: units)
    }

    /// The units of an amount that is a whole number of steps, below 10¹⁵; nil for other amounts. `step`: the units of
    /// one step; `perOne`: the number of steps in an amount of 1.
    @inline(__always)
    private static func units(_ amount: Double, of step: Int128, perOne: Double) -> Int128? {
        let steps = amount * perOne + (amount < 0 ? -0.5 : 0.5)
        guard steps.magnitude < 1e15 else { return nil }
        let whole = Int64(steps)
        return Double(whole) / perOne == amount ? Int128(whole) &* step : nil
    }

    /// Reads a decimal number as JSON writes it, with any number of digits, rounded half-even to 12 places; nil if it
    /// is not a number, or if its magnitude is not below 10¹⁸.
    package init?(decimal text: UnsafeRawBufferPointer) {
        guard let number = DecimalNumber(text) else { return nil }
        guard let units = number.scaledHalfEven(places: Money.decimals, below: Money.limit) else { return nil }
        self.init(units: units)
    }
}

extension Money {
    /// Writes the amount as a plain decimal: no exponent, no trailing zeros.
    package func write(to text: inout ByteBuffer) {
        if units < 0 { text.append(UInt8(ascii: "-")) }
        let magnitude = units.magnitude
        var fraction: UInt64
        if let small = UInt64(exactly: magnitude) {
            fraction = small % 1_000_000_000_000
            text.append(decimal: small / 1_000_000_000_000)
        } else {
            let (whole, remainder) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000_000)
            fraction = UInt64(truncatingIfNeeded: remainder)
            text.append(whole: whole)
        }
        guard fraction != 0 else { return }
        text.append(UInt8(ascii: "."))
        var places = 12
        // Most amounts have at most two places, so this skips ten zeros at once.
        if fraction % 10_000_000_000 == 0 {
            fraction /= 10_000_000_000
            places = 2
        }
        while fraction % 10 == 0 {
            fraction /= 10
            places &-= 1
        }
        text.append(decimal: fraction, digits: places)
    }
}

extension ByteBuffer {
    /// Appends a whole number. Amounts that conversion models convert and add up may need more than 64 bits.
    fileprivate mutating func append(whole: UInt128) {
        guard let word = UInt64(exactly: whole) else {
            let (high, low) = whole.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
            append(whole: high)
            append(decimal: UInt64(truncatingIfNeeded: low), digits: 18)
            return
        }
        append(decimal: word)
    }
}
