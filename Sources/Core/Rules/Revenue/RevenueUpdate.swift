/// Rules, "Update revenue", "Event ids", "SKAN 3": counts a purchase, ad revenue or a refund.
package struct RevenueUpdate: Rule {
    private let amount: Money
    private let currency: Currency
    package let kind: RevenueKind
    /// Valid as long as the rule is used.
    package let eventID: UnsafeRawBufferPointer?
    private let now: Int64
    /// The number of the re-engagement that the call names; 0 if it names none.
    private let reengagement: UInt32
    private let settings: Unmanaged<ReengagementSettings>?
    /// The result of looking up the event id; nil if the rule must look it up itself.
    package var known: KnownEvent?

    package init(
        amount: Money, currency: Currency, kind: RevenueKind, eventID: UnsafeRawBufferPointer?, now: Int64,
        reengagement: UInt32 = 0, _ settings: ReengagementSettings? = nil
    ) {
        self.amount = amount
        self.currency = currency
        self.kind = kind
        self.eventID = eventID
        self.now = now
        self.reengagement = reengagement
        // Not retained, since the engine owns it and outlives the rule.
        self.settings = settings.map { Unmanaged.passUnretained($0) }
    }

    package init(_ amount: EventAmount, eventID: UnsafeRawBufferPointer?, now: Int64) {
        self.init(
            amount: amount.amount, currency: amount.currency, kind: amount.kind, eventID: eventID, now: now)
    }

    /// A failure leaves the state unchanged.
    package mutating func run(on state: inout InstallState) throws(Failure) -> Verdict {
        let known = known ?? state.events.find(eventID)
        if known.hasAmount { return .unchanged(.duplicateEvent) }
        if eventID == nil, amount == .zero { return .unchanged(.ok) }
        if amount != .zero {
            let count = state.revenue.count
            if let limit = state.revenue.add(amount, currency, to: .lifetime(kind)) { throw tooMuch(limit) }
            if state.conversion.protocolVersion == .skan4, let window = state.conversion.window(at: now),
                let limit = state.revenue.add(amount, currency, to: .window(window, kind))
            {
                state.revenue.takeBack(amount, currency, from: .lifetime(kind), count: count)
                throw tooMuch(limit)
            }
            if !state.reengagements.isEmpty, let settings {
                state.credit(amount, currency, kind, reengagement, settings.takeUnretainedValue(), at: now)
            }
        }
        if let eventID { state.events.rememberAmount(eventID, known, kind) }
        if state.conversion.first == nil { state.conversion.changed = max(now, state.conversion.changed ?? now) }
        return .changed()
    }

    @inline(never)
    private func tooMuch(_ limit: RevenueLimit) -> Failure {
        var text = ByteBuffer(capacity: 64)
        amount.write(to: &text)
        text.append(" ")
        currency.write(to: &text)
        return text.withBytes {
            Failure(.limitExceeded, "amount: \(limit.description), adding \(quoted: $0) would exceed that")
        }
    }
}
