import SKANCore
import Testing

/// Rules, "Model refusals": a rule that can never win. Vectors have a document or two for each reason, most of them
/// refused. These tests alone judge both sides of each border of what a later rule asks for, by revenue, sessions and
/// days.
struct ModelRefusalTests {
    /// Whether a model with a rule that asks for 5 up to 10, and another one behind it, is refused.
    private func isRefused(_ earlier: String, _ later: String) -> Bool {
        let rules = #"{"fine":1,"when":{\#(earlier)}},{"fine":2,"when":{\#(later)}}"#
        let read = ConversionModel.of(rules: [rules, "", ""])
        #expect(read.failedStatus == nil || read.failedMessage?.contains("can never win") == true)
        return read.failedStatus != nil
    }

    @Test(arguments: [
        (5, 10, true), (4, 10, true), (5, 11, true), (6, 10, false), (5, 9, false), (4, 9, false), (6, 11, false),
    ])
    func aRangeWithinALaterOneCanNeverWin(min: Int, max: Int, refused: Bool) {
        for kind in ["revenue", "sessions", "day"] {
            let found = isRefused(#""\#(kind)":{"min":5,"max":10}"#, #""\#(kind)":{"min":\#(min),"max":\#(max)}"#)
            #expect(found == refused, "\(kind)")
        }
    }

    @Test func aConditionThatALaterRuleDoesNotHaveIsWithin() {
        #expect(isRefused(#""sessions":{"min":5},"day":{"max":3}"#, #""sessions":{"min":5}"#))
        #expect(isRefused(#""sessions":{"min":5},"day":{"max":3}"#, #""day":{"max":3}"#))
        #expect(!isRefused(#""sessions":{"min":5}"#, #""sessions":{"min":5},"day":{"max":3}"#))
        #expect(!isRefused(#""revenue":{"min":5}"#, #""revenue":{"min":5,"kind":"ad"}"#))
        // Anything from 0 on is what a rule asks for that says nothing of it.
        #expect(isRefused(#""revenue":{"min":5}"#, #""sessions":{"min":0}"#))
    }
}
