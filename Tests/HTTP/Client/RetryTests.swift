import SKANHTTPClient
import Testing

@Suite struct RetryTests {
    @Test(arguments: [
        ("Retry-After: 0\r\n", 0), ("Retry-After: 120\r\n", 120_000), ("retry-after:120", 120_000),
        ("RETRY-AFTER:\t 007 \t\r\n", 7_000), ("Retry-After:\r\n", nil), ("Retry-After: soon\r\n", nil),
        ("Retry-After: -1\r\n", nil), ("Retry-Later: 1\r\n", nil), ("X-Retry-After: 1\r\n", nil),
        ("Retry-After", nil), ("", nil), ("Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 0),
        ("Retry-After: \(String(repeating: "1", count: 10_000))", nil),
    ])
    func retryAfter(line: String, milliseconds: Int64?) {
        #expect(read(line) == milliseconds)
    }

    /// Longer than all time-outs, and no number that does not fit.
    @Test(arguments: [
        "99999999999999999999999999999999", "9223372036854775807", "1 Jan 2147483647", "31 Dec 9999 23:59:59 GMT",
    ])
    func retryAfterAges(value: String) throws {
        #expect(try #require(read("Retry-After: \(value)\r\n")) > 1_000_000_000_000)
    }

    private func read(_ line: String) -> Int64? {
        Array(line.utf8).withUnsafeBytes { RetryAfter.milliseconds(line: $0) }
    }

    /// Pauses last from a half of the whole to the whole, both ends drawn from now and then.
    @Test(arguments: [
        (1, 200, 2000, 200), (2, 200, 2000, 400), (4, 200, 2000, 1600), (5, 200, 2000, 2000), (100, 200, 2000, 2000),
        (1, 3_600_000, 1000, 1000), (100, 3_600_000, 3_600_000, 3_600_000),
    ])
    func pauses(attempts: UInt32, first: UInt32, longest: UInt32, whole: Int64) {
        let pauses = (0..<2000).map { _ in retryPause(attempts: attempts, first: first, longest: longest) }
        #expect(whole / 2..<whole * 6 / 10 ~= pauses.min() ?? -1)
        #expect(whole * 9 / 10 + 1...whole ~= pauses.max() ?? -1)
    }

    /// No numbers end the process.
    @Test func pausesOfAnyLength() {
        for longest in [0, 1, UInt32.max] {
            #expect(retryPause(attempts: .max, first: .max, longest: longest) <= Int64(longest))
        }
    }
}
