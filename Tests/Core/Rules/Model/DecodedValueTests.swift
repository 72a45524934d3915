import SKANCore
import Testing

/// Rules, "Model decode", as values; what its document says is what the models' vectors tell.
struct DecodedValueTests {
    private static let rules = [
        #"{"fine":0,"when":{"events":[{"name":"win"}]}},"#
            + #"{"fine":3,"coarse":1,"when":{"revenue":{"min":5,"max":10},"events":[{"name":"win"}]}},"#
            + #"{"fine":4,"coarse":1,"when":{"revenue":{"min":10}}}"#,
        #"{"coarse":1}"#, "",
    ]

    private func model() throws -> ConversionModel { try ConversionModel.of(rules: Self.rules).get() }

    @Test func aValueHasTheRulesThatGiveItAndWhatHoldsForAll() throws {
        let model = try model()
        let value = try #require(try model.decode(window: 0, fine: -1, coarse: 1))
        #expect(value.rules == [1, 2] && value.window == 0 && !value.isRegistration)
        let revenue = try #require(value.envelope.revenue.first)
        #expect(value.envelope.revenue.count == 1)
        #expect(revenue.leastAmount == Money(units: 5 * Money.scale) && revenue.end == nil)
        let events = value.envelope.conditions.filter { $0.axis.place != nil }
        #expect(events.count == 1 && events[0].min == 0 && events[0].max == ModelCondition.open)
        #expect(model.event(of: events[0]) == "win".withBytes { EventName($0) })
    }

    @Test(
        arguments: [
            (-1, 0, -1, "window"), (3, 0, -1, "window"), (0, -2, 0, "fine"), (0, 64, -1, "fine"), (1, -1, -2, "coarse"),
            (1, -1, 3, "coarse"), (1, -1, -1, "fine"),
        ] as [(Int32, Int32, Int32, String)])
    func whatNoInstallCanHaveIsRefused(window: Int32, fine: Int32, coarse: Int32, named: String) throws {
        let model = try model()
        let decoded = outcome { () throws(Failure) in try model.decode(window: window, fine: fine, coarse: coarse) }
        #expect(decoded.failedStatus == "SKAN_ERROR_INVALID_ARGUMENT")
        #expect(decoded.failedMessage?.hasPrefix(named + ": ") == true)
    }

    @Test func sessionsAndDaysAreNoEvents() throws {
        let rule = #"{"coarse":1,"when":{"sessions":{"min":2},"day":{"max":3}}}"#
        let model = try ConversionModel.of(rules: ["", rule, ""]).get()
        let value = try #require(try model.decode(window: 1, fine: -1, coarse: 1))
        #expect(value.envelope.conditions.map(\.min) == [2, 0])
        #expect(value.envelope.conditions.allSatisfy { model.event(of: $0) == nil })
    }
}
