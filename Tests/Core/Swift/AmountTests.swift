import Foundation
import SKAN
import Testing

/// Rules, "Money is exact".
struct AmountTests {
    @Test func aDoubleIsItsShortestDecimal() {
        #expect(Amount(-4.99)?.description == "-4.99")
        #expect(Amount(1.2345e-05)?.description == "0.000012345")
        #expect(Amount(1e15)?.description == "1000000000000000")
        #expect(Amount(-0.0) == .zero)
    }

    @Test func aTextIsADecimalNumberOfJSON() {
        #expect(Amount("123456789012345678.123456789012")?.description == "123456789012345678.123456789012")
        #expect(Amount("1e3")?.description == "1000")
        #expect(Amount("-0") == .zero)
        // Which texts are none is in DecimalNumberTests.
        for text in ["", "1,5", "1\0"] { #expect(Amount(text) == nil, "\(text)") }
    }

    @Test func aWholeNumberMayCountCents() {
        #expect(Amount(499, decimals: 2) == Amount("4.99"))
        #expect(Amount(4990, decimals: 3) == Amount("4.99"))
        #expect(Amount(-4_990_000, decimals: 6) == Amount("-4.99"))
        #expect(Amount(5) == Amount("5"))
        #expect(Amount(1, decimals: 12)?.description == "0.000000000001")
        #expect(Amount(1, decimals: 13) == nil)
        #expect(Amount(1, decimals: -1) == nil)
    }

    @Test func amountsStayBelow1e18() {
        #expect(Amount("-1e18") == nil)
        #expect(Amount(1e18) == nil)
        #expect(Amount(Double.infinity) == nil)
        #expect(Amount(Double.nan) == nil)
        #expect(Amount(999_999_999_999_999_999) != nil)
        #expect(Amount(1_000_000_000_000_000_000) == nil)
        #expect(Amount(Int.max) == nil)
        #expect(Amount(Int.min) == nil)
        #expect(Amount(Int.min, decimals: 12) != nil)
    }

    @Test func amountsHaveAnOrder() throws {
        let amounts = ["-1", "-0.5", "0", "0.000000000001", "2", "10"].compactMap { Amount($0) }
        #expect(amounts.count == 6)
        #expect(amounts.reversed().sorted() == amounts)
    }

    @Test(arguments: [
        ("0", "0"), ("12", "12"), ("-3", "-3"), ("0.1", "0.1"), ("4.99", "4.99"), ("0.10000000149", "0.10000000149"),
        ("999999999999999999", "999999999999999999"),
        // No double spells these: they are written as text, not rounded.
        ("0.123456789012345678", "0.123456789012"), ("123456789012345.678", "\"123456789012345.678\""),
        ("999999999999999999.999999999999", "\"999999999999999999.999999999999\""),
    ])
    func jsonCarriesItExactly(_ text: String, _ json: String) throws {
        let amount = try #require(Amount(text))
        let encoded = try JSONEncoder().encode(amount)
        #expect(String(decoding: encoded, as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Amount.self, from: encoded) == amount)
    }

    @Test func whatIsNoAmountIsNotDecoded() {
        for json in ["1e18", "-1e30", "\"x\"", "\"1e18\"", "true", "null", "{}", "[]"] {
            #expect(throws: DecodingError.self, "\(json)") {
                try JSONDecoder().decode(Amount.self, from: Data(json.utf8))
            }
        }
    }
}
