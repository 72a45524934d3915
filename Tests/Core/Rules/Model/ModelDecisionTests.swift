import SKANCore
import Testing

/// Rules, "Model decision". Vectors judge which value is decided. These tests alone notice an event that need not be
/// saved, and converted amounts that do not fit into 128 bits.
struct ModelDecisionTests {
    private func install(_ rules: [String], rates: String = "{}") throws -> ModelledInstall {
        try ModelledInstall(ConversionModel.of(rules: rules, rates: rates).get())
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
