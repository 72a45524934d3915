internal import SKANCore
internal import SKANEngine

/// A session or an event, with the money that came with it. A string literal is an event of that name.
public struct Event: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name, 1...64 bytes of UTF-8 without control bytes; nil = a session, "__SESSION__". For an engine without
    /// models that has a ``Configuration/endpointURL``, the name has 1...32 printable ASCII bytes.
    public var name: String?
    /// The id of this event, 1...128 bytes of UTF-8 without NUL, so that a retry counts once; nil = none. An event
    /// counts nothing if one of the install's last 64 events without an amount had the same id, or if a remembered
    /// amount with the same id came with an event.
    public var eventID: String?
    /// The known facts about the device.
    public var device: Device
    /// The re-engagement for which the event counts in addition to the install: 0 = those that ``Reengagements/credit``
    /// chooses, ``installAlone`` = none, otherwise only the one with this number, if it is active. Rules, "Credit".
    public var reengagement: UInt32 = 0

    let given: Revenue.Given?
    let currency: String?
    let kind: RevenueKind

    /// The value of ``reengagement`` that counts an event for the install alone.
    public static var installAlone: UInt32 { SKANEngine.installAlone }

    /// Creates a session or an event, without an amount or with an exact one.
    ///
    /// - Parameters:
    ///   - name: nil = a session.
    ///   - eventID: nil, or the id that makes a retry count once.
    ///   - device: The known facts about the device.
    ///   - amount: nil, or the money that came with the event, below 10¹² in magnitude; negative = a refund.
    ///   - currency: Three ASCII letters, ISO 4217; required with an amount.
    ///   - kind: The source of the money.
    public init(
        _ name: String? = nil, eventID: String? = nil, device: Device = Device(), amount: Amount? = nil,
        currency: String? = nil, kind: RevenueKind = .iap
    ) {
        self.init(name, eventID, device, amount.map { .exact($0) }, currency, kind)
    }

    /// Creates a session or an event with an amount that is a `Double`: finite, below 10¹² in magnitude, read as its
    /// shortest decimal form.
    public init(
        _ name: String? = nil, eventID: String? = nil, device: Device = Device(), amount: Double, currency: String,
        kind: RevenueKind = .iap
    ) {
        self.init(name, eventID, device, .number(amount), currency, kind)
    }

    public init(stringLiteral name: String) { self.init(name) }

    private init(
        _ name: String?, _ eventID: String?, _ device: Device, _ given: Revenue.Given?, _ currency: String?,
        _ kind: RevenueKind
    ) {
        self.name = name
        self.eventID = eventID
        self.device = device
        self.given = given
        self.currency = currency
        self.kind = kind
    }
}

extension Event {
    func checked(_ settings: borrowing EngineSettings, _ texts: inout CallTexts) throws -> ReportedEvent {
        ReportedEvent(
            name: try texts.eventName(name, settings), id: try texts.eventID(eventID),
            amount: try amount(settings.protocolVersion, &texts), device: try texts.device(device),
            reengagement: reengagement)
    }

    private func amount(
        _ protocolVersion: SKANCore.ProtocolVersion, _ texts: inout CallTexts
    ) throws -> EventAmount? {
        guard let given, let currency else {
            if given == nil, currency == nil, kind == .iap { return nil }
            throw SKANError(.invalidArgument, "currency: expected an amount and its currency, got one of them")
        }
        let amount = try money(given)
        let letters = texts.keep(currency, limit: 3)
        return try translated { () throws(Failure) in
            EventAmount(
                amount: amount, currency: try Arguments.currency(letters),
                kind: try Arguments.kind(kind.rawValue, protocolVersion))
        }
    }
}
