import SKANCore
import Testing

@testable import SKANCommandReport

/// The page runs its own script and style sheet, and nothing else.
struct PageHeadTests {
    @Test func thePolicyKnowsBothByTheirDigests() {
        let head = pageHead.text
        #expect(head.contains("default-src 'none'; style-src 'sha256-") && !head.contains("unsafe"))
        #expect(head.pieces(from: "script-src 'sha256-", to: "='").first?.utf8.count == 43)
    }

    @Test func theScriptHasNoMoreThanOneHundredAndFiftyLines() {
        #expect(pageScript.text.split(separator: "\n").count <= 150)
        #expect(!pageScript.text.contains("</"))
    }
}
