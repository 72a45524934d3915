import SKANHTTPClient
import Testing

@Suite struct HTTPAnswerTests {
    @Test func aBodyInPieces() {
        var answer = HTTPAnswer()
        #expect(take(&answer, "one, ") && take(&answer, "") && take(&answer, "two"))
        #expect(String(decoding: answer.body, as: UTF8.self) == "one, two")
        answer.removeAll()
        #expect(answer.body.isEmpty && answer.bodyBytes == 0)
    }

    @Test(arguments: [65_535, 65_536, 65_537]) func aBodyAtTheLimit(count: Int) {
        var answer = HTTPAnswer()
        #expect(take(&answer, String(repeating: "x", count: 60_000)))
        let isTaken = take(&answer, String(repeating: "x", count: count - 60_000))
        #expect(isTaken == (count <= HTTPLimits.bodyBytes) && answer.hasTooLargeBody == !isTaken)
        #expect(answer.body.count == (isTaken ? count : 60_000))
    }

    @Test func aRefusalsBodyIsNotKept() {
        var answer = HTTPAnswer()
        #expect(take(&answer, "words of the server", status: 404))
        #expect(answer.body.isEmpty && answer.bodyBytes == 19)
        #expect(!take(&answer, String(repeating: "x", count: 65_536), status: 404))
        #expect(answer.hasTooLargeBody)
    }

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

    private func take(_ answer: inout HTTPAnswer, _ piece: String, status: Int = 200) -> Bool {
        Array(piece.utf8).withUnsafeBytes { answer.takeBody($0, status: status) }
    }

    private func takeHeader(_ answer: inout HTTPAnswer, _ line: String) -> Bool {
        Array(line.utf8).withUnsafeBytes { answer.takeHeader($0) }
    }
}
