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
        #expect(text(padded("ab", to: 4)) + "|" == "ab  |")
        #expect(text(padded("ab", to: 4, atRight: true)) == "  ab")
        #expect(text(padded("abc", to: 2)) == "abc")
    }

    @Test func aBarTellsWhatIsDoneAndLeft() {
        let bar = ProgressBar(unit: .things("records"), total: 1000, began: 0)
        #expect(
            text(bar.line(500, at: 10_000, columns: 80))
                == "[#################                 ]  50%  500 of 1000 records, 50/s, 10 s left")
        #expect(text(bar.line(0, at: 0, columns: 20)) == "[]   0%  0 of 1000 records, 0/s")
        #expect(text(bar.line(1000, at: 10_000, columns: 200)).hasPrefix("[\(String(repeating: "#", count: 40))] 100%"))
        #expect(text(bar.line(1000, at: 10_000, columns: 20)).hasSuffix("1000 of 1000 records, 100/s, 0 s left"))
    }

    @Test func aBarOfBytesHasUnitsThatPeopleRead() {
        let bar = ProgressBar(unit: .bytes, total: 669_000_000, began: 0)
        #expect(text(bar.line(138_000_000, at: 6389, columns: 20)) == "[]  20%  138 of 669 MB, 21.6 MB/s, 25 s left")
        #expect(text(bar.line(1_000_000, at: 1000, columns: 20)).hasSuffix("1.0 of 669 MB, 1.0 MB/s, 11 min 8 s left"))
        #expect(text(bar.line(50_000, at: 1000, columns: 20)).hasSuffix("50.0 kB/s, 3 h 42 min left"))
        #expect(text(bar.line(669_000_000, at: 1000, columns: 20)).hasSuffix("669 of 669 MB, 669 MB/s, 0 s left"))
    }

    @Test func aBarOfUnknownLengthCounts() {
        let lines = ProgressBar(unit: .things("lines"), total: 0, began: 1000)
        #expect(text(lines.line(30, at: 4000, columns: 80)) == "30 lines, 10/s")
        let bytes = ProgressBar(unit: .bytes, total: 0, began: 1000)
        #expect(text(bytes.line(3_000_000_000, at: 4000, columns: 80)) == "3.0 GB, 1.0 GB/s")
        #expect(text(bytes.line(0, at: 1000, columns: 80)) == "0 kB, 0 kB/s")
    }
}
