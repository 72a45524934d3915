import SKANCore
import Testing

/// Rules, "Money is exact": to the nearest, and to the even one of two that are equally near.
struct HalfEvenTests {
    @Test(
        arguments: [
            (0, 0, 10, 0), (0, 4, 10, 0), (0, 5, 10, 0), (0, 6, 10, 1), (1, 0, 10, 1), (1, 4, 10, 1), (1, 5, 10, 2),
            (1, 9, 10, 2), (2, 5, 10, 2), (2, 1, 2, 2), (3, 1, 2, 4), (7, 0, 2, 7), (98, 50, 100, 98),
            (99, 50, 100, 100), (99, 49, 100, 99), (98, 51, 100, 99),
        ] as [(UInt128, UInt64, UInt64, UInt128)])
    func aQuotientIsRounded(quotient: UInt128, remainder: UInt64, divisor: UInt64, rounded: UInt128) {
        #expect(quotient.roundedHalfEven(CutPart(remainder, of: divisor)) == rounded)
    }

    /// A product of a total and a rate, and a text's digits, are rounded alike.
    @Test func textsAndProductsAreRoundedAlike() {
        for units in 0..<200 {
            for (rate, point) in [(5, 1), (25, 2), (75, 2), (125, 3)] {
                let digits = String(units * rate)
                let text = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                let whole = Int(text.dropLast(point)) ?? 0
                let number = "\(whole).\(text.suffix(point))"
                let read = number.withBytes { DecimalNumber($0)?.scaledHalfEven(places: 0, below: Money.limit) }
                var scale: Int128 = Money.scale
                for _ in 0..<point { scale /= 10 }
                #expect(product(Int128(units), Int128(rate) * scale) == read, "\(number)")
                #expect(product(Int128(-units), Int128(rate) * scale) == read.map { -$0 }, "-\(number)")
            }
        }
    }
}
