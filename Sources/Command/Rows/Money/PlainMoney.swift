package import SKANCore

extension Money {
    private static var wholeDigits: Int { 15 }

    /// Parses an amount such as "12", "0.5" or "1000.25": digits with at most 12 decimal places, below 10¹⁵. Returns
    /// nil for any other text.
    package init?(plain text: some BidirectionalCollection<UInt8>) {
        let whole = text.prefix { $0 != UInt8(ascii: ".") }
        let places = text.dropFirst(whole.count + 1)
        guard 1...Money.wholeDigits ~= whole.count, places.count <= Money.decimals, whole.allSatisfy(isDigit),
            places.allSatisfy(isDigit), text.last != UInt8(ascii: ".")
        else { return nil }
        var units: Int128 = 0
        for digit in whole { units = units * 10 + Int128(digit - UInt8(ascii: "0")) }
        for digit in places { units = units * 10 + Int128(digit - UInt8(ascii: "0")) }
        for _ in places.count..<Money.decimals { units *= 10 }
        self.init(units: units)
    }

    /// Whether the amount can be written in the form that `init(plain:)` parses.
    var isPlain: Bool { units >= 0 && hasFewDigits }

    /// Whether the magnitude of the amount is below 10¹⁵.
    var hasFewDigits: Bool { units.magnitude < (1_000_000_000_000_000 * Money.scale).magnitude }
}
