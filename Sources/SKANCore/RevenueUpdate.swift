/// SPEC §2 and §3, "update revenue": a purchase, ad revenue or a refund.
package struct RevenueUpdate: Rule {
    private let amount: Money
    private let currency: Currency
    private let kind: RevenueKind
    /// Valid while the rule is used.
    private let eventID: UnsafeRawBufferPointer?
    private let now: Int64

    package init(
        amount: Money, currency: Currency, kind: RevenueKind, eventID: UnsafeRawBufferPointer?, now: Int64
    ) {
        self.amount = amount
        self.currency = currency
        self.kind = kind
        self.eventID = eventID
        self.now = now
    }

    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        if let eventID {
            guard !state.revenueEvents.contains(eventID) else { return .unchanged(.duplicateEvent) }
        } else if amount == .zero {
            return .unchanged(.ok)
        }
        if amount != .zero {
            try add(to: .lifetime(kind), of: &state)
            if state.protocolVersion == .skan4, let window = state.window(at: now) {
                try add(to: .window(window, kind), of: &state)
            }
        }
        if let eventID { state.revenueEvents.remember(eventID) }
        return .changed()
    }

    @inline(__always)
    private func add(to table: RevenueTable, of state: inout InstallState) throws(Failure) {
        guard let limit = state.revenue.add(amount, currency, to: table) else { return }
        var text = ByteBuffer(capacity: 64)
        amount.write(to: &text)
        text.append(" ")
        currency.write(to: &text)
        throw Failure(.limitExceeded, "amount: \(limit.description), adding \(quoted: text.bytes) would break that")
    }
}
