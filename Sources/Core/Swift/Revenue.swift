internal import SKANCore
internal import SKANEngine

/// An amount of an install: a purchase, an ad impression's revenue or, if negative, a refund. For
/// ``Engine/updateRevenue(_:)`` and ``Engine/updateRevenueMany(_:)``.
public struct Revenue: Hashable, Sendable {
    /// The install id. See ``Engine``.
    public var installID: String
    /// Three ASCII letters, ISO 4217; stored in upper case.
    public var currency: String
    /// The source of the money. SKAN 3 has no ad revenue.
    public var kind: RevenueKind
    /// The id of this purchase or impression, 1...128 bytes of UTF-8 without NUL, so that a retry counts once; nil =
    /// none.
    public var eventID: String?
    /// The re-engagement that is credited in addition to the install: 0 = those that ``Reengagements/credit`` chooses,
    /// otherwise only the one with this number, if it is active. Rules, "Credit".
    public var reengagement: UInt32 = 0

    let given: Given

    /// An amount as the caller gave it. The engine's call checks whether it is valid.
    enum Given: Hashable, Sendable {
        case exact(Amount)
        case number(Double)
    }

    /// Creates an exact amount: a purchase, an ad impression's revenue or, if negative, a refund.
    ///
    /// - Parameters:
    ///   - installID: See ``Engine``.
    ///   - amount: Below 10¹² in magnitude, in units of the currency. 0 adds nothing but records its event id.
    ///   - currency: Three ASCII letters, ISO 4217; stored in upper case.
    ///   - kind: The source of the money. SKAN 3 has no ad revenue.
    ///   - eventID: nil, or the id that makes a retry count once.
    public init(
        _ installID: String, amount: Amount, currency: String, kind: RevenueKind = .iap, eventID: String? = nil
    ) {
        self.init(installID, .exact(amount), currency, kind, eventID)
    }

    /// Creates an amount from a `Double`: finite, below 10¹² in magnitude, read as its shortest decimal form.
    public init(
        _ installID: String, amount: Double, currency: String, kind: RevenueKind = .iap, eventID: String? = nil
    ) {
        self.init(installID, .number(amount), currency, kind, eventID)
    }

    private init(_ installID: String, _ given: Given, _ currency: String, _ kind: RevenueKind, _ eventID: String?) {
        self.installID = installID
        self.given = given
        self.currency = currency
        self.kind = kind
        self.eventID = eventID
    }

    /// The amount in units of the currency; nil if it was given as a `Double` that is not a valid amount.
    public var amount: Amount? {
        switch given {
        case .exact(let amount): amount
        case .number(let number): Amount(number)
        }
    }
}

extension Revenue {
    func call(_ protocolVersion: SKANCore.ProtocolVersion, _ texts: inout CallTexts) throws -> RevenueCall {
        let money = try money(given)
        let letters = texts.keep(currency, limit: 3)
        let id = texts.keep(ifAny: eventID, limit: Limits.eventIDBytes)
        let call = try translated { () throws(Failure) in
            try RevenueCall(
                money, currency: letters, kind: kind.rawValue, eventID: id, reengagement: reengagement,
                protocolVersion)
        }
        try checkNoNUL(id)
        return call
    }
}

/// Throws INVALID_ARGUMENT unless the amount is below 10¹² in magnitude.
func money(_ given: Revenue.Given) throws -> Money {
    switch given {
    case .number(let number):
        return try translated { () throws(Failure) in try Arguments.amount(number) }
    case .exact(let amount):
        guard Arguments.isAmount(amount.money) else {
            throw SKANError(.invalidArgument, "amount: expected a finite number between -1e12 and 1e12, got \(amount)")
        }
        return amount.money
    }
}
