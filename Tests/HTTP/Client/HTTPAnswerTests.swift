import SKANHTTPClient
import Testing

@Suite struct HTTPAnswerTests {
    @Test func headersAtTheLimit() {
        var answer = HTTPAnswer()
        for _ in 0..<64 { #expect(takeHeader(&answer, String(repeating: "x", count: 1024))) }
        #expect(answer.headerBytes == HTTPLimits.headerBytes && !answer.hasTooLargeHeaders)
        #expect(!takeHeader(&answer, "x") && answer.hasTooLargeHeaders)
    }

    @Test func theLastRetryAfterCounts() {
        var answer = HTTPAnswer()
        #expect(takeHeader(&answer, "Retry-After: 1\r\n") && answer.retryAfter == 1000)
        #expect(takeHeader(&answer, "Retry-After: 2\r\n") && answer.retryAfter == 2000)
        #expect(takeHeader(&answer, "Retry-After: soon\r\n") && answer.retryAfter == 2000)
    }

    private func takeHeader(_ answer: inout HTTPAnswer, _ line: String) -> Bool {
        Array(line.utf8).withUnsafeBytes { answer.takeHeader($0) }
    }
}
