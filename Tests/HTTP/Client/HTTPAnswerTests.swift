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

    /// What one attempt was told does not hold for the next.
    @Test func anAttemptBeginsWithNothing() {
        var answer = HTTPAnswer()
        let piece = [UInt8](repeating: 0, count: HTTPLimits.bodyBytes)
        #expect(takeHeader(&answer, "Retry-After: 1\r\n"))
        #expect(piece.withUnsafeBytes { answer.takeBody($0, status: 200) })
        #expect(piece.withUnsafeBytes { !answer.takeBody($0, status: 200) })
        #expect(!takeHeader(&answer, String(repeating: "x", count: HTTPLimits.headerBytes)))
        answer.removeAll()
        #expect(answer.retryAfter == nil && answer.body.isEmpty)
        #expect(answer.headerBytes == 0 && answer.bodyBytes == 0)
        #expect(!answer.hasTooLargeHeaders && !answer.hasTooLargeBody)
    }

    private func takeHeader(_ answer: inout HTTPAnswer, _ line: String) -> Bool {
        Array(line.utf8).withUnsafeBytes { answer.takeHeader($0) }
    }
}
