package import SKANCore

extension Money {
    /// The exact amount with at least two decimal places: "0.50", "0.015".
    package var exactText: Message {
        var digits = placedDigits(units, places: Money.decimals)
        let least = digits.count - Money.decimals + 2
        while digits.count > least, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return signed(digits, isNegative: units < 0)
    }

    /// The amount with 0 to 12 decimal places, rounded half to even.
    package func text(places: Int) -> Message {
        let size = units < 0 ? 0 - units : units
        let cut = dividedHalfEven(size, by: powerOfTen(Money.decimals - places))
        return signed(placedDigits(cut, places: places), isNegative: units < 0 && cut > 0)
    }
}

/// The quotient of two amounts or counts with this many decimal places, rounded half to even; nil if the divisor is not
/// above 0, or if the quotient is too large.
package func quotientText(_ over: Int128, _ under: Int128, places: Int) -> Message? {
    quotientText(over, under, scale: powerOfTen(places), places: places)
}

/// The quotient times `scale`, rounded half to even, as digits of which the last `places` are decimal places.
private func quotientText(_ over: Int128, _ under: Int128, scale: Int128, places: Int) -> Message? {
    guard under > 0 else { return nil }
    let isNegative = over < 0
    var (over, under) = (isNegative ? 0 - over : over, under)
    // A larger dividend would overflow. It needs no decimal places, so the last digits of both numbers are dropped.
    while over > Money.mostReported / scale, under > 1 {
        over /= 10
        under = max(under / 10, 1)
    }
    guard over <= Money.mostReported / scale else { return nil }
    let quotient = dividedHalfEven(over * scale, by: under)
    return signed(placedDigits(quotient, places: places), isNegative: isNegative && quotient > 0)
}

/// A part of a whole in percent, "12.5"; nil if the whole is 0.
package func percentText(_ part: UInt64, of whole: UInt64) -> Message? { percentText(Int128(part), of: Int128(whole)) }

/// A part of a whole in percent, for amounts; nil if the whole is not above 0.
package func percentText(_ part: Int128, of whole: Int128) -> Message? {
    quotientText(part, whole, scale: 1_000, places: 1)
}

private func signed(_ digits: [UInt8], isNegative: Bool) -> Message {
    Message(utf8: isNegative ? [UInt8(ascii: "-")] + digits : digits)
}

/// The power of ten for an exponent of 0 to 12.
private func powerOfTen(_ exponent: Int) -> Int128 {
    var power: Int128 = 1
    for _ in 0..<max(exponent, 0) { power *= 10 }
    return power
}

/// The digits of `number`, with a decimal point before the last `places` digits.
private func placedDigits(_ number: Int128, places: Int) -> [UInt8] {
    var digits: [UInt8] = []
    var left = number.magnitude
    while left > 0 || digits.count <= places {
        if digits.count == places, places > 0 { digits.append(UInt8(ascii: ".")) }
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10))
        left /= 10
    }
    return digits.reversed()
}
