import Foundation
import SKANCore
import Testing

/// Rules, "Re-engagement revenue": sums of amounts times rates, exactly. Sums of the vectors have up to 14 places and
/// stay far below the limit. These tests alone judge all 24 places, the limit on both sides, products that cancel each
/// other, halves, and sums of a damaged record.
struct ExactSumTests {
    private func text(_ sum: ExactSum) -> String {
        var text = ByteBuffer(capacity: 64)
        sum.write(to: &text)
        return String(decoding: text.array, as: UTF8.self)
    }

    private func units(_ text: String) throws -> Int128 {
        try #require(text.withBytes { Money(decimal: $0) }).units
    }

    @Test(arguments: [
        ("1", "1.09", "1.09"), ("0.000000000001", "0.000000000001", "0.000000000000000000000001"),
        ("-0.000000000001", "0.5", "-0.0000000000005"), ("-1.5", "1.000000000001", "-1.5000000000015"),
        ("999999999999.999999999999", "999999999999.999999999999", "999999999999999999999998.000000000000000000000001"),
        ("0", "3", "0"), ("-2", "1.5", "-3"),
    ])
    func aProductHasAllItsPlaces(_ amount: String, _ rate: String, _ product: String) throws {
        #expect(text(ExactSum(Money(units: try units(amount)), times: try units(rate))) == product)
    }

    @Test func aSumOfOppositesIsZero() throws {
        for amount in ["4.99", "0.000000000001", "123456.789"] {
            let sum = ExactSum(Money(units: try units(amount)), times: try units("1.234567891234"))
            let opposite = ExactSum(Money(units: -(try units(amount))), times: try units("1.234567891234"))
            #expect(sum.adding(opposite) == .zero)
        }
    }

    @Test func aSumStaysWithinItsLimit() throws {
        let much = ExactSum(Money(units: try units("999999999999")), times: try units("999999999999"))
        var (sum, negative) = (ExactSum.zero, ExactSum.zero)
        let less = ExactSum(Money(units: -(try units("999999999999"))), times: try units("999999999999"))
        for _ in 0..<3 { (sum, negative) = (sum.adding(much), negative.adding(less)) }
        #expect(text(sum) == "1000000000000000000000000")
        #expect(text(negative) == "-1000000000000000000000000")
        #expect(text(sum.adding(less)) == "1999999999999")
    }

    @Test(arguments: [
        ("0.0000000000005", "0"), ("0.0000000000015", "0.000000000002"), ("0.0000000000025", "0.000000000002"),
        ("-0.0000000000005", "0"), ("-0.0000000000015", "-0.000000000002"),
        ("0.00000000000050000001", "0.000000000001"),
    ])
    func rulesSeeItRoundedHalfEven(_ exact: String, _ seen: String) throws {
        // Twelve places of the amount are moved into the rate.
        let isLong = exact.hasSuffix("50000001")
        let amount = isLong ? "0.50000001" : String(try #require(Double(exact)) * 1e12)
        let sum = ExactSum(Money(units: try units(amount)), times: try units("0.000000000001"))
        var text = ByteBuffer(capacity: 32)
        sum.rounded.write(to: &text)
        #expect(String(decoding: text.array, as: UTF8.self) == seen)
    }

    @Test func partsOutOfRangeAreRefused() {
        #expect(ExactSum(units: 1, rest: 1_000_000_000_000) == nil)
        #expect(ExactSum(units: Int128.max, rest: 0) == nil)
        #expect(ExactSum(units: -5, rest: 999_999_999_999) != nil)
    }
}
