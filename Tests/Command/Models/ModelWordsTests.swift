import SKANCommandModels
import SKANCore
import Testing

struct ModelWordsTests {
    /// What the one rule of window 1 asks for, in words.
    private func words(_ when: String, currency: String = "USD") throws -> String {
        let rule = #"{"coarse":1,"when":\#(when)}"#
        let first = #"{"fine":1,"when":{"events":[{"name":"b"}]}}"#
        let file = try ModelFile.of(windows: [first, rule, ""], currency: currency, rates: "{}")
        let model = file.model
        return text(model.words(of: model.conditions(ofRule: 0, of: 1)))
    }

    @Test func conditionsAreListedInOneOrder() throws {
        let asked = #"{"revenue":{"min":5,"max":10},"day":{"min":3},"sessions":{"min":2},"events":[{"name":"a"}]}"#
        #expect(try words(asked) == "a, 2+ sessions, day 3 or later, $5 to $10 IAP")
    }

    @Test func whatHoldsForEveryoneIsAlways() throws {
        #expect(try words("{}") == "always")
        #expect(try words(#"{"sessions":{"min":0},"events":[{"name":"a","min_count":0}]}"#) == "always")
    }

    @Test func anAmountIsWrittenAsItsCurrencyIs() throws {
        let asked = #"{"revenue":{"kind":"all","scope":"lifetime","min":-1.5}}"#
        #expect(try words(asked) == "-$1.5 or more lifetime revenue")
        #expect(try words(asked, currency: "EUR") == "-1.5 EUR or more lifetime revenue")
    }

    @Test func threeNumbersInARowAreARange() {
        #expect(text(numberWords([])) == "")
        #expect(text(numberWords([7])) == "7")
        #expect(text(numberWords([0, 1])) == "0, 1")
        #expect(text(numberWords([0, 2, 3, 4, 6, 7])) == "0, 2 to 4, 6, 7")
    }

    @Test func aValueSaysWhatItSets() {
        #expect(text(valueWords(fine: 5, coarse: 2, locks: true)) == "fine 5, coarse high, locks the window")
        #expect(text(valueWords(fine: nil, coarse: nil, locks: false)) == "no value")
    }
}
