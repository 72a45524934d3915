import SKANCore
import Testing

/// Rules, "Money is exact": amounts are written as plain decimals, no exponent, no trailing zeros. Amounts of vectors are
/// mostly hundredths. These tests alone judge amounts of every size, also those above each limit of a 64-bit number.
struct MoneyTextTests {
    private func text(_ units: Int128) -> String { written { Money(units: units).write(to: &$0) } }

    @Test(arguments: [
        ("0", "0"), ("1", "0.000000000001"), ("-1", "-0.000000000001"), ("10", "0.00000000001"),
        ("10000000000", "0.01"), ("100000000000", "0.1"), ("990000000000", "0.99"), ("1000000000000", "1"),
        ("-1000000000000", "-1"), ("1010000000000", "1.01"), ("1001000000000", "1.001"),
        ("12345670000000000", "12345.67"), ("18446744073709551615", "18446744.073709551615"),
        ("18446744073709551616", "18446744.073709551616"), ("-18446744073709551617", "-18446744.073709551617"),
        ("999999999999999999999999999999", "999999999999999999.999999999999"),
        ("-999999999999999999999999999999", "-999999999999999999.999999999999"),
        ("999999999999999999000000000000", "999999999999999999"),
        // Sums of converted revenue are larger than any total.
        ("1000000000000000000000000000000", "1000000000000000000"),
        ("18446744073709551615000000000000", "18446744073709551615"),
        ("18446744073709551616000000000000", "18446744073709551616"),
        ("-1000000000000000000000000000000000001", "-1000000000000000000000000.000000000001"),
        ("128000000000000000000000000000000000000", "128000000000000000000000000"),
    ])
    func amountsArePlainDecimals(units: String, expected: String) throws {
        #expect(text(try #require(Int128(units))) == expected)
    }

    @Test func everyTextIsTheShortestThatReadsBack() {
        var chance = Chance(6)
        for _ in 0..<20_000 {
            let size = chance.number(0...29)
            let limit = (0..<size).reduce(Int128(1)) { value, _ in value * 10 }
            var units = Int128(chance.next()) << 64 | Int128(chance.next())
            units %= limit
            // As many zeros at the end as chance has it.
            for _ in 0..<chance.number(0...12) { units = units / 10 * 10 }
            let text = text(units)
            expect(text.withBytes { Money(decimal: $0) }?.units == units, "\(text)")
            let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
            expect(parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) }, "\(text)")
            expect(parts[0] == "0" || parts[0].first != "0", "\(text)")
            expect(parts.count == 1 || parts[1].last != "0", "\(text)")
            expect((text.first == "-") == (units < 0), "\(text)")
        }
    }
}
