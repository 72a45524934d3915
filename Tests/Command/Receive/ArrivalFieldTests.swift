import SKANCore
import Testing

@testable import SKANCommandReceive

@Suite("The time at which a postback of a file arrived")
struct ArrivalFieldTests {
    /// 2026-06-01.
    private let now: Int64 = 1_780_272_000_000_000

    /// `text`: the member's value, as JSON.
    private func moment(_ text: String) -> Int64? {
        let field = ArrivalField(Array("at".utf8), now: now)
        return try? Array("{\"at\":\(text)}".utf8).withBytes { json throws(Failure) in try field.moment(in: json) }
    }

    @Test(
        "is exact to the microsecond, in every form",
        arguments: [
            ("1769853600", 0), ("1769853600.25", 250_000), ("1769853600.000001", 1), ("1769853600.9999999", 999_999),
            ("\"1769853600.123456\"", 123_456), ("1769853600123", 123_000), ("1769853600123.456", 123_456),
            ("1769853600123.4569", 123_456), ("\"2026-01-31T10:00:00Z\"", 0), ("\"2026-01-31T10:00:00.25Z\"", 250_000),
            ("\"2026-01-31T10:00:00.123456789Z\"", 123_456), ("\"2026-01-31 12:00:00.000001+02:00\"", 1),
            ("1769853600123456", 123_456), ("1769853600123456789", 123_456), ("\"2026-01-31 10:00:00 UTC\"", 0),
            ("\"2026-01-31 10:00:00.123456 UTC\"", 123_456), ("\"2026-01-31 10:00:00+00\"", 0),
            ("\"2026-01-31 11:00:00.5+01\"", 500_000), ("\"2026-01-31 10:00:00\"", 0),
            ("\"2026-01-31T10:00:00.25\"", 250_000), ("\"2026-01-31 02:00:00.000 -0800\"", 0),
            ("\"2026-01-31 10:00:00 +0000 UTC\"", 0), ("\"2026-01-31 10:00:00 GMT\"", 0),
            ("\"2026-01-31T10:00Z\"", 0), ("\"2026-01-31 10:00\"", 0), ("\"2026-01-31t10:00:00z\"", 0),
            ("\" 2026-01-31 10:00:00 \"", 0), ("\"2026-01-31 10:00:00,123\"", 123_000),
        ] as [(String, Int64)])
    func microseconds(text: String, microseconds: Int64) {
        #expect(moment(text) == 1_769_853_600_000_000 + microseconds)
    }

    @Test(
        "is not guessed where the text is no time",
        arguments: [
            "1769853600.", "1769853600.1e3", "1.7e9", "-1769853600", "true", "null", "\"2026-01-31T10:00:00.Z\"",
            "\"2026-01-31\"", "999999999999999999", "\"2026-01-31 10:00:00 CET\"", "\"2026-01-31 10:00:00 +\"",
            "\"2026-01-31 10:00:00 +1\"", "\"2026-01-31 10:00:00+00 CET\"", "\"2026-01-31 10\"",
            "\"2026-01-31 10:\"", "\"2026-01-31 10:00:\"", "\" \"",
            // Spreadsheets shorten large numbers to a few digits.
            "1.76985E+09",
        ])
    func noTime(text: String) { #expect(moment(text) == nil) }

    @Test("lies between 2018 and a day from now")
    func bounds() {
        #expect(moment("1514764800") == 1_514_764_800_000_000)
        #expect(moment("1514764799.999999") == nil)
        #expect(moment("1780358400") == 1_780_358_400_000_000)
        #expect(moment("1780358400.000001") == nil)
    }
}
