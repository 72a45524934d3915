import SKANCore
import Testing

/// Rules, "Model decision": which rule holds at the borders of its ranges, and what raise_only keeps.
struct ModelDecisionTests {
    private let dollar = Money.scale

    private func install(_ rules: [String], rates: String = "{}", registeredAt first: Int64 = 0) throws
        -> ModelledInstall
    {
        try ModelledInstall(ConversionModel.of(rules: rules, rates: rates).get(), registeredAt: first)
    }

    /// An event that gives no new value is stored only if the model counts it.
    @Test func anEventThatNoRuleAsksForChangesNothing() throws {
        var install = try install([#"{"fine":5,"when":{"events":[{"name":"win"}]}}"#, "", ""])
        for (event, status, isChanged) in [
            ("lose", "SKAN_NO_NEW_VALUE", false), ("win", "SKAN_OK", true), ("lose", "SKAN_NO_NEW_VALUE", false),
            ("win", "SKAN_NO_NEW_VALUE", true),
        ] {
            #expect(install.sees(event, at: 1) == status)
            #expect(install.isChanged == isChanged, "\(event)")
        }
    }

    // MARK: raise_only

    /// The refund takes the install out of the higher rule's range: its coarse value stays, and nothing is locked.
    @Test(arguments: [Int64(172_800), 604_800], [false, true])
    func aRefundDoesNotLowerCoarseInLaterWindows(_ start: Int64, _ locks: Bool) throws {
        let rules = #"{"coarse":0,"lock":\#(locks)},{"coarse":2,"when":{"revenue":{"min":10}}}"#
        var install = try install([#"{"fine":1}"#, rules, rules])
        try install.buys(10 * dollar, at: start)
        #expect(install.session(at: start) == "SKAN_OK")
        #expect(install.update?.coarse == 2)
        try install.buys(-10 * dollar, at: start + 1)
        #expect(install.session(at: start + 2) == "SKAN_NO_NEW_VALUE")
        #expect(install.update == nil)
        let window = try #require(install.state.conversion.window(at: start))
        #expect(install.state.conversion.windows[window].coarse == 2)
        #expect(install.state.conversion.windows[window].lock == nil)
        #expect(install.state.conversion.last == start)
    }

    // MARK: Ranges

    /// A range is [min, max): at max it is over, also where no later rule takes over.
    @Test(arguments: [nil, "iap", "ad"]) func revenueAtMaxIsOutside(_ kind: String?) throws {
        let asked = #"{"kind":"\#(kind ?? "all")","min":1,"max":10}"#
        let rules = #"{"fine":5,"when":{"revenue":\#(asked)}}"#
        for (units, status) in [
            (dollar - 1, "SKAN_NO_NEW_VALUE"), (dollar, "SKAN_OK"), (10 * dollar - 1, "SKAN_OK"),
            (10 * dollar, "SKAN_NO_NEW_VALUE"), (10 * dollar + 1, "SKAN_NO_NEW_VALUE"),
        ] {
            var install = try install([rules, "", ""])
            try install.buys(units, "USD", kind == "ad" ? .ad : .iap, at: 1)
            #expect(install.session(at: 2) == status, "\(units) units")
        }
    }

    /// Before the first call it is the first day, as it is window 0.
    @Test(arguments: [-1, -86_400, -86_401, -200_000] as [Int64]) func daysBeforeTheFirstCallAreDay0(_ elapsed: Int64)
        throws
    {
        let first: Int64 = 1_643_393_464
        var install = try install([#"{"fine":5,"when":{"day":{"max":1}}}"#, "", ""], registeredAt: first)
        #expect(install.session(at: first + elapsed) == "SKAN_OK")
        #expect(install.update?.fine == 5)
    }

    // MARK: Rates

    /// 2⁹⁰ units at 2³⁸ dollars are 2¹²⁸ units, whose low half is 0: no small amount, but one above all limits.
    @Test func aConvertedAmountBeyond128BitsStaysAtTheLimit() throws {
        let units = Int128(1) << 90
        let limit = Money.scale * Money.scale * Money.scale
        // The largest total at the largest rate, too.
        for (units, rate) in [(units, (1 << 38) * Money.scale), (Money.limit - 1, Money.scale * Money.scale - 1)] {
            #expect(product(units, rate) == limit)
            #expect(product(-units, rate) == -limit)
        }
        var install = try install(
            [#"{"fine":5,"when":{"revenue":{"min":1}}}"#, "", ""], rates: #"{"EUR":"274877906944"}"#)
        try install.buys(units, "EUR", at: 1)
        #expect(install.session(at: 2) == "SKAN_OK")
    }
}
