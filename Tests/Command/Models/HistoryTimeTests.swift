import SKANCommandModels
import Testing

struct HistoryTimeTests {
    private func time(_ text: String) -> Int64? { historyTime(Array(text.utf8)) }

    @Test func aTimeIsISO8601WithAnOffset() {
        #expect(time("1970-01-01T00:00:00Z") == 0)
        #expect(time("2000-02-29 12:34:56.789Z") == 951_827_696)
        #expect(time("2026-01-31T11:00:00+01:00") == time("2026-01-31T10:00:00Z"))
        #expect(time("1969-12-31T23:00:00-0100") == 0)
    }

    @Test func aHistoryIsFrom1970ToTheYear9999() {
        #expect(time("9999-12-31T23:59:59Z") == 253_402_300_799)
        #expect(time("9999-12-31T23:59:59-00:01") == nil)
        #expect(time("1969-12-31T23:59:59Z") == nil)
        #expect(time("1970-01-01T00:59:59+01:00") == nil)
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-01-31T10:00:00", "2026-01-31T10:00:00.Z", "2026-02-29T10:00:00Z",
        "2100-02-29T10:00:00Z", "2026-13-01T10:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T10:00:00+1:00",
        "2026-01-31T10:00:00+24:00", "2026-01-31T10:00:00Zx", "0000-01-01T00:00:00Z",
    ])
    func whatIsNoTimeIsRefused(_ text: String) { #expect(time(text) == nil) }
}
