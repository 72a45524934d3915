import SKANCore
import Testing

/// A number in JSON's spelling, read without loss. Vectors and ResponseTests have a few spellings. These tests alone
/// judge what is a number and what is none, digits beyond any integer, halves at any place, and huge exponents.
struct DecimalNumberTests {
    private func integer(_ text: String) -> Int64? { text.withBytes { DecimalNumber($0)?.integer } }

    private func scaled(_ text: String, _ places: Int, below limit: Int128 = Money.limit) -> Int128? {
        text.withBytes { DecimalNumber($0)?.scaledHalfEven(places: places, below: limit) }
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("0.0", 0), ("-0.000e9", 0), ("0e999999999999", 0), ("0e-999999999999", 0), ("12", 12),
        ("12.0", 12), ("1.2e1", 12), ("1.2E+1", 12), ("120e-1", 12), ("0.0012e4", 12), ("1200000e-5", 12),
        ("12.000000000000000000000000000000000000", 12), ("-63", -63), ("1e17", 100_000_000_000_000_000),
        ("999999999999999999", 999_999_999_999_999_999), ("-999999999999999999", -999_999_999_999_999_999),
        ("0.00000000000000000063e20", 63), ("1e0000000000000000000000000000001", 10), ("1e-0", 1),
    ])
    func wholeNumbersInAnySpelling(text: String, value: Int64) {
        #expect(integer(text) == value)
    }

    @Test(arguments: [
        "0.5", "1.2", "12e-1", "1e-1", "1e-999999999999999999999", "-0.1", "1.0000000000000000000000000000000001",
        "1e18", "1000000000000000000", "-1e18", "1e999999999999999999999", "9e99999999",
        "123456789012345678901234567890",
    ])
    func noOtherNumberIsWhole(text: String) {
        #expect(text.withBytes { DecimalNumber($0) } != nil)
        #expect(integer(text) == nil)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1e", "1e+", "1e-", "1e1.5", "1.e1", "1 ", " 1", "1_0",
        "0x1", "1,5", "NaN", "Infinity", "1e1e1", "--1", "1-", "٣", "1\0",
    ])
    func otherTextsAreNoNumbers(text: String) {
        #expect(text.withBytes { DecimalNumber($0) } == nil)
    }

    /// What the digits of a number come to after the point is moved, by arithmetic on digits alone.
    private func expected(_ digits: [Int], fractionDigits: Int, exponent: Int, places: Int) -> Int128? {
        let kept = digits.count - fractionDigits + exponent + places
        let whole = (0..<max(kept, 0)).map { $0 < digits.count ? digits[$0] : 0 }
        let rest = kept >= 0 ? Array(digits.dropFirst(kept)) : [Int](repeating: 0, count: -kept) + digits
        var value: Int128 = 0
        for digit in whole {
            value = value * 10 + Int128(digit)
            if value >= Money.limit { return nil }
        }
        let isAboveHalf = (rest.first ?? 0) > 5 || (rest.first == 5 && rest.dropFirst().contains { $0 != 0 })
        let isHalf = rest.first == 5 && !isAboveHalf
        if isAboveHalf || (isHalf && value % 2 == 1) { value += 1 }
        return value < Money.limit ? value : nil
    }

    @Test func roundingIsHalfEvenAtAnyPlace() {
        var chance = Chance(7)
        for _ in 0..<30_000 {
            // Few kinds of digits, so that halves, zeros and carries are frequent.
            var digits = (0..<chance.number(1...22)).map { _ in [0, 0, 0, 1, 4, 5, 5, 9, 9][chance.number(0...8)] }
            let fractionDigits = chance.number(0...digits.count - 1)
            if digits.count - fractionDigits > 1, digits[0] == 0 { digits[0] = 1 }
            let exponent = chance.number(-20...20)
            let places = chance.number(0...12)
            let isNegative = chance.happens()
            var text = (isNegative ? "-" : "") + digits.dropLast(fractionDigits).map(String.init).joined()
            if fractionDigits > 0 { text += "." + digits.suffix(fractionDigits).map(String.init).joined() }
            text += exponent == 0 && chance.happens() ? "" : "e\(exponent)"
            let magnitude = expected(digits, fractionDigits: fractionDigits, exponent: exponent, places: places)
            expect(scaled(text, places) == magnitude.map { isNegative ? -$0 : $0 }, "\(text) at \(places) places")
        }
    }

    @Test(arguments: [
        ("1", true), ("0.000000000001", true), ("0.0000000000001", false), ("1e-12", true), ("1e-13", false),
        ("10e-13", true), ("0.00000000000010", false), ("0.0000000000001e1", true), ("1.0000000000001e1", true),
        ("1.0000000000001e-1", false), ("0e-99", true),
    ])
    func placesAreCountedAfterThePointIsMoved(text: String, hasAtMost12: Bool) {
        #expect(text.withBytes { DecimalNumber($0)?.hasAtMost(places: 12) } == hasAtMost12)
    }

    /// What an exponent costs, make bench-core shows.
    @Test func anExponentMovesThePointAcrossAnyDigits() {
        let zeros = String(repeating: "0", count: 60_000)
        #expect(integer("0.\(zeros)e1000000000") == 0)
        #expect(integer("1\(zeros)e-60000") == 1)
        #expect(integer("0.\(zeros)7e60001") == 7)
        #expect(integer("1e1000000000") == nil)
        #expect(scaled("1e-1000000000", 12) == 0)
    }
}
