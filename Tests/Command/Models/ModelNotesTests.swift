import SKANCommandModels
import SKANCore
import Testing

struct ModelNotesTests {
    /// Every fine value, and coarse values in turn.
    private static let full = (0..<64).map { rule(#""fine":\#($0),"coarse":\#($0 / 22)"#, sessions: $0) }
        .joined(separator: ",")
    private static let coarse = (0..<3).map { rule(#""coarse":\#($0)"#, sessions: $0) }.joined(separator: ",")

    /// A rule of at least so many sessions.
    private static func rule(_ values: String, sessions: Int) -> String {
        #"{\#(values),"when":{"sessions":{"min":\#(sessions)}}}"#
    }

    private func notes(_ windows: [String]) throws -> [String] { try ModelFile.of(windows: windows).notes.map(text) }

    @Test func nothingIsSaidOfAModelThatGivesEveryValue() throws {
        #expect(try notes([Self.full, Self.coarse, Self.coarse]) == [])
    }

    @Test func valuesThatNoRuleHasAreNamed() throws {
        #expect(
            try notes([Self.full.replacing(#""coarse":2"#, with: #""coarse":1"#), Self.coarse, #"{"coarse":1}"#])
                == [
                    "window 0: no rule has the coarse value high",
                    "window 2: no rule has the coarse value low",
                    "window 2: no rule has the coarse value high",
                ])
    }

    @Test func aRuleOfDaysThatItsWindowDoesNotHaveNeverHolds() throws {
        let late =
            #"{"coarse":0,"when":{"day":{"max":2}}},{"coarse":1,"when":{"day":{"min":6}}},"#
            + Self.rule(#""coarse":2"#, sessions: 2)
        #expect(
            try notes([Self.full, late, Self.coarse])
                == ["window 1: rule 0 never holds, the window has days 2 to 6"])
    }

    @Test func revenueCountsInTheCurrenciesThatHaveARate() throws {
        let revenue = Self.coarse + #",{"coarse":2,"when":{"revenue":{"min":1}}}"#
        #expect(
            try notes([Self.full, revenue, Self.coarse])
                == ["revenue counts as nothing unless it is in USD, JPY, EUR"])
    }
}
