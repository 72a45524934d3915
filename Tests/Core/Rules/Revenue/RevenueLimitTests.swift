import SKANCore
import Testing

/// An amount that breaks a limit leaves all tables as they were, also where only the window's has none to spare. A life
/// in batches_told has that with two currencies. This test alone judges tables of every size around the one at which
/// they are kept in another way, either kind of revenue, and what is added afterwards.
struct RevenueLimitTests {
    private func state(lifetime others: Int, usd: Int64?, _ kind: RevenueKind) -> InstallState {
        var state = InstallState(.skan4)
        state.conversion.first = 0
        state.conversion.last = 0
        let other = kind == .iap ? RevenueKind.ad : .iap
        for index in 0..<others {
            let currency = Currency.of("ZZ\(UnicodeScalar(UInt8(65 + index)))")
            #expect(state.revenue.add(Money(units: 7), currency, to: .lifetime(other)) == nil)
        }
        let most = Money(units: Money.limit - 1)
        #expect(state.revenue.add(most, .dollar, to: .window(.first, kind)) == nil)
        if let usd { #expect(state.revenue.add(Money(units: Int128(usd)), .dollar, to: .lifetime(kind)) == nil) }
        // The other kind's total of the same currency is none of its business.
        #expect(state.revenue.add(Money(units: 11), .dollar, to: .lifetime(other)) == nil)
        return state
    }

    private func totals(_ state: InstallState) -> [String] {
        state.revenue.withTotals { totals in totals.indices.map { "\(totals[$0].key): \(totals[$0].total.units)" } }
    }

    @Test(arguments: 0..<10, [nil, 0, 5] as [Int64?]) func nothingIsChanged(_ others: Int, _ usd: Int64?) {
        for kind in [RevenueKind.iap, .ad] { nothingIsChanged(others, usd, kind) }
    }

    private func nothingIsChanged(_ others: Int, _ usd: Int64?, _ kind: RevenueKind) {
        var state = state(lifetime: others, usd: usd, kind)
        let before = totals(state)
        var rule = RevenueUpdate(amount: Money(units: 3), currency: .dollar, kind: kind, eventID: nil, now: 1)
        #expect(throws: Failure.self) { try rule.run(on: &state) }
        #expect(totals(state) == before)
        #expect(state.revenue.count == before.count)
        // What follows finds the tables in order.
        #expect(state.revenue.add(Money(units: 2), .dollar, to: .lifetime(kind)) == nil)
        #expect(state.revenue.total(.lifetime(kind), .dollar) == Money(units: Int128(usd ?? 0) + 2))
    }
}
