import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandServer

/// Heads as libmicrohttpd leaves them: `|` is a NUL.
@Suite struct RequestHeadTests {
    private func isTaken(
        _ headers: String, line: String = "GET|/a|HTTP/1.1||", target: Int = 2, version: Int = 7
    ) -> Bool {
        with(line + headers, target, version) { $0 != nil }
    }

    private func with<Result>(
        _ text: String, _ target: Int, _ version: Int, _ body: (RequestHead?) -> Result
    ) -> Result {
        let bytes = text.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 }
        return bytes.withUnsafeBytes { body(RequestHead($0, targetLength: target, versionStart: version)) }
    }

    @Test func aPlainRequestIsTaken() {
        #expect(isTaken("Host| a||||"))
        #expect(isTaken("||", line: "GET|/a|HTTP/1.0||"), "no Host, which HTTP/1.0 need not have")
        #expect(isTaken("Host| a||X|||Y|\tb c||||"))
        #expect(isTaken("Host| a||||", line: "POST|/a?b|HTTP/1.0||", target: 4, version: 10))
    }

    /// Version 1.0 leaves LF, and where blanks stand before it, CR.
    @Test func headsOfTheNewerLibraryAreTaken() {
        let line = "GET|/a|HTTP/1.1|\n"
        #expect(isTaken("Host| a|\n\r\n", line: line))
        #expect(isTaken("Host| a b|\r\nX|\t c| \r\nY||\nZ| d|\n\r\n", line: line))
        #expect(isTaken("Host| a|\n\r\n", line: "POST|/a|||HTTP/1.0|\n", target: 4, version: 10))
        let values = with(line + "Host| a|\nX-Request-ID|  one|  \r\nAuthorization| Bearer t|\n\r\n", 2, 7) { head in
            [head?.id, head?.bearer].map { $0.map { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(values == ["one", "t"])
    }

    @Test func whatOthersReadOtherwiseIsNotTakenFromIt() {
        let line = "GET|/a|HTTP/1.1|\n"
        #expect(!isTaken("Host| a|\n", line: line), "the end of headers in LF alone")
        #expect(!isTaken("Host| a|X| b|\n\r\n", line: line), "a line that ends in LF alone")
        #expect(!isTaken("Host| a|\n\r\n", line: "GET|/a|HTTP/1.1|"), "a request line that ends in LF alone")
        #expect(!isTaken("Host| a|\n\r\nX| b|\n\r\n", line: line), "an empty line among the headers")
        #expect(!isTaken("Host| a|\r\n", line: line), "no empty line")
        #expect(!isTaken("Host| a\n\r\n", line: line))
        #expect(!isTaken("X| a|\n\r\n", line: line), "no Host")
        #expect(!isTaken("Host| a|\nHost| b|\n\r\n", line: line))
    }

    @Test func whatOthersReadOtherwiseIsNot() {
        #expect(!isTaken("Host| a|X| b||||"), "a line that ends in LF alone")
        #expect(!isTaken("Host| a||X|b|"), "the end of headers in LF alone")
        #expect(!isTaken("Host | a||||"), "a space before the colon")
        #expect(!isTaken("Host| a|| folded||||"), "a line that goes on")
        #expect(!isTaken("Host| a\rb||||"), "CR alone")
        #expect(!isTaken("Host| a|b||||"), "a NUL in a value")
        #expect(!isTaken("Host| a|||| a||||"), "no name")
        #expect(!isTaken("X| a||||"), "no Host")
        #expect(!isTaken("Host| a||Host| b||||"))
        #expect(!isTaken(""))
    }

    @Test(arguments: [
        ("Authorization| Bearer abc", "abc"), ("authorization|bearer  abc ", "abc"), ("Authorization| Bearer", ""),
        ("Authorization| Basic abc", nil), ("Authorization| Bearerabc", nil), ("X|Bearer abc", nil),
    ])
    func aBearerIsOfItsSchemeAlone(_ header: String, _ bearer: String?) {
        with("GET|/a|HTTP/1.1||Host| a||\(header)||||", 2, 7) { head in
            #expect(head != nil)
            #expect(head?.bearer.map { String(decoding: $0, as: UTF8.self) } == bearer)
        }
        #expect(!isTaken("Host| a||\(header)||Authorization| Bearer x||Authorization| Bearer x||||"))
    }

    @Test func theRequestLineHasOneForm() {
        #expect(!isTaken("Host| a||||", line: "GET|/a|HTTP/1.1|"), "LF alone")
        #expect(!isTaken("Host| a||||", line: "GET| /a|HTTP/1.1||", version: 8), "two spaces")
        #expect(!isTaken("Host| a||||", line: "GET|/a|b|HTTP/1.1||", version: 9), "a NUL in the target")
        #expect(!isTaken("Host| a||||", line: "GET|/a|HTTP/2.0||"))
        #expect(!isTaken("Host| a||||", line: "G(T|/a|HTTP/1.1||"))
    }

    @Test func aBodyHasOneLength() {
        func length(_ headers: String) -> String? {
            with("GET|/a|HTTP/1.1||Host| a||" + headers, 2, 7) { head in
                head.map {
                    $0.isChunked ? "chunked" : $0.contentLength.map { String(decoding: $0, as: UTF8.self) } ?? ""
                }
            }
        }
        #expect(length("||") == "")
        #expect(length("content-LENGTH| 5 ||||") == "5")
        #expect(length("Transfer-Encoding| Chunked||||") == "chunked")
        #expect(length("Content-Length| 5||Content-Length| 5||||") == nil)
        #expect(length("Content-Length| 5||Transfer-Encoding| chunked||||") == nil)
        #expect(length("Transfer-Encoding| chunked||Transfer-Encoding| chunked||||") == nil)
        #expect(length("Transfer-Encoding| gzip, chunked||||") == nil)
        #expect(!isTaken("Transfer-Encoding| chunked||||", line: "GET|/a|HTTP/1.0||"))
    }
}
