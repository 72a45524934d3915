/// Rules, "Events with an amount": the money that came with an event.
package struct EventAmount: Sendable {
    package let amount: Money
    package let currency: Currency
    package let kind: RevenueKind

    package init(amount: Money, currency: Currency, kind: RevenueKind) {
        self.amount = amount
        self.currency = currency
        self.kind = kind
    }
}
