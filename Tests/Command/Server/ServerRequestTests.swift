import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct ServerRequestTests {
    private func withRequest<Result>(_ target: String, _ body: (HTTPServerRequest) -> Result) -> Result {
        Array(target.utf8).withUnsafeBytes { target in
            let none = Bytes(start: nil, count: 0)
            return body(HTTPServerRequest(method: none, target: target, body: none))
        }
    }

    private func item(_ query: String, atMost longest: Int = 10) -> String? {
        withRequest("/path?\(query)") { $0.item("name", atMost: longest) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aPathEndsAtTheFirstQuestionMark() {
        #expect(withRequest("/a?b?c") { Array($0.path) } == Array("/a".utf8))
        #expect(withRequest("/a") { Array($0.path) } == Array("/a".utf8))
        #expect(withRequest("") { $0.path.isEmpty })
    }

    @Test func theFirstItemOfANameIsItsValue() {
        #expect(item("name=1&name=2") == "1")
        #expect(item("a=b&name=1") == "1")
        #expect(item("names=1&nam=2") == nil)
        #expect(item("") == nil)
        #expect(item("&&name=1&") == "1")
        #expect(item("name") == "")
        #expect(item("name=a=b") == "a=b")
    }

    @Test func itemsAreDecoded() {
        #expect(item("n%61me=%41+b") == "A b")
        #expect(item("%6E%61%6D%65=1") == "1")
        #expect(item("name=%4") == "%4")
        #expect(item("name=%zz") == "%zz")
    }

    @Test func whatIsLongerOrHasANULIsNoValue() {
        #expect(item("name=1234567890") == "1234567890")
        #expect(item("name=12345678901") == nil)
        #expect(item("name=%31%31%31%31%31%31%31%31%31%31") == "1111111111")
        #expect(item("name=a%00") == nil)
    }
}
