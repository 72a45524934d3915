import SKANCore
import Testing

@testable import SKANCommandOutput

struct OutputTextTests {
    private func text(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }

    @Test func timesAreThoseOfUTC() {
        #expect(text(utcTime(1_700_000_000)) == "2023-11-14T22:13:20Z")
        #expect(text(utcTime(-1)) == "1969-12-31T23:59:59Z")
        #expect(text(utcDay(0)) == "1970-01-01")
        #expect(text(utcTime(.max)) == "9223372036854775807 s")
    }

    @Test(
        arguments: [
            (0.125, 2, "0.12"), (0.375, 2, "0.38"), (2.5, 0, "2"), (-1, 1, "-1.0"), (1e300, 0, nil),
        ] as [(Double, Int32, String?)])
    func numbersAreRoundedAsCDoes(_ number: Double, _ places: Int32, _ expected: String?) {
        let found = text(fixedText(number, places: places))
        if let expected { #expect(found == expected) } else { #expect(found.count == 301) }
    }

    @Test func textsAreFilledUp() {
        #expect(text(paddedText(7, to: 2)) == "07")
        #expect(text(paddedText(700, to: 2)) == "700")
        #expect(text(padded("ab", to: 4)) + "|" == "ab  |")
        #expect(text(padded("ab", to: 4, atRight: true)) == "  ab")
        #expect(text(padded("abc", to: 2)) == "abc")
    }

    @Test func aBarTellsWhatIsDoneAndLeft() {
        let bar = ProgressBar(unit: "records", total: 1000, began: 0)
        let half = text(bar.line(500, at: 10_000, columns: 80))
        #expect(half == "[################                 ]  50%  500/1000 records  50/s  00:00:10 left")
        #expect(text(bar.line(0, at: 0, columns: 20)) == "[]   0%  0/1000 records  0/s  --:--:-- left")
        #expect(text(bar.line(1000, at: 10_000, columns: 200)).hasPrefix("[\(String(repeating: "#", count: 40))] 100%"))
    }

    @Test func aBarOfUnknownLengthCounts() {
        let bar = ProgressBar(unit: "lines", total: 0, began: 1000)
        #expect(text(bar.line(30, at: 4000, columns: 80)) == "30 lines  10/s")
    }
}
