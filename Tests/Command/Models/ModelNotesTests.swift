import SKANCommandModels
import SKANCore
import Testing

struct ModelNotesTests {
    /// Fine values 0 to 63, all with these coarse values in turn.
    private static let full = (0..<64).map { #"{"fine":\#($0),"coarse":\#($0 / 22)}"# }.joined(separator: ",")
    private static let coarse = (0..<3).map { #"{"coarse":\#($0)}"# }.joined(separator: ",")

    private func notes(_ windows: [String]) throws -> [String] { try ModelFile.of(windows: windows).notes.map(text) }

    @Test func nothingIsSaidOfAModelThatGivesEveryValue() throws {
        #expect(try notes([Self.full, Self.coarse, Self.coarse]) == [])
    }

    @Test func valuesThatNoRuleHasAreNamed() throws {
        #expect(
            try notes([Self.full.replacing(#","coarse":2}"#, with: #","coarse":1}"#), Self.coarse, #"{"coarse":1}"#])
                == [
                    "window 0: no rule has the coarse value high",
                    "window 2: no rule has the coarse value low",
                    "window 2: no rule has the coarse value high",
                ])
    }

    @Test func aRuleOfDaysThatItsWindowDoesNotHaveNeverHolds() throws {
        let late = #"{"coarse":0,"when":{"day":{"max":2}}},{"coarse":1,"when":{"day":{"min":6}}},{"coarse":2}"#
        #expect(
            try notes([Self.full, late, Self.coarse])
                == ["window 1: rule 0 never holds, the window has days 2 to 6"])
    }

    @Test func revenueCountsInTheCurrenciesThatHaveARate() throws {
        let revenue = #"{"coarse":0,"when":{"revenue":{"min":1}}},{"coarse":1},{"coarse":2}"#
        #expect(
            try notes([Self.full, revenue, Self.coarse])
                == ["revenue counts as nothing unless it is in USD, JPY, EUR"])
    }
}
