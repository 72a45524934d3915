import SKANCore
import Testing

/// Rules, "Money is exact": to the nearest, and to the even one of two that are equally near. This test alone judges
/// how a product is rounded whose exact end is known: vectors have a few products, most of them without a rest.
struct HalfEvenTests {
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
