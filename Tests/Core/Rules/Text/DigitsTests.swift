import SKANCore
import Testing

/// Whole numbers that are written in digits. This test alone judges the greatest one, and texts that are nearly a
/// number.
struct DigitsTests {
    @Test(
        arguments: [
            ("0", 0), ("7", 7), ("0042", 42), ("9223372036854775807", .max), ("9223372036854775808", nil),
            ("99999999999999999999", nil), ("", nil), ("-1", nil), ("+1", nil), ("1 ", nil), ("1e3", nil), ("١", nil),
        ] as [(String, Int64?)])
    func aNumberIsOfDigitsAloneAndFits(_ text: String, _ number: Int64?) {
        #expect(wholeNumber(ofDigits: text.utf8) == number)
    }
}
