internal import SKANCore
internal import SKANEngine

/// A session or an event, with the money that came with it. A text is an event of that name.
public struct Event: Hashable, Sendable, ExpressibleByStringLiteral {
    /// nil = a session, "__SESSION__"; else 1...64 bytes of UTF-8 without control bytes; for an engine without models
    /// that has an ``Configuration/endpointURL``, 1...32 printable ASCII bytes.
    public var name: String?
    /// nil, or 1...128 bytes of UTF-8 without NUL that identify this event, so that a retry counts once: an event with
    /// the id of one of the install's last 64 events without an amount, or with that of a remembered amount which came
    /// with an event, counts nothing.
    public var eventID: String?
    /// What is known of the device.
    public var device: Device
    /// The re-engagement for which it counts in addition to the install: 0 = those that the engine credits,
    /// ``installAlone`` = none, otherwise only this one, if it is active. Rules, "Credit".
    public var reengagement: UInt32 = 0

    let given: Revenue.Given?
    let currency: String?
    let kind: RevenueKind

    /// The value of ``reengagement`` that counts an event for the install alone.
    public static var installAlone: UInt32 { SKANEngine.installAlone }

    /// A session or an event, without an amount or with an exact one.
    ///
    /// - Parameters:
    ///   - name: nil = a session.
    ///   - eventID: nil, or the id that makes a retry count once.
    ///   - device: What is known of the device.
    ///   - amount: nil, or the money that came with it, below 10¹² in magnitude; negative = a refund.
    ///   - currency: Three ASCII letters, ISO 4217; required with an amount.
    ///   - kind: What brought the money.
    public init(
        _ name: String? = nil, eventID: String? = nil, device: Device = Device(), amount: Amount? = nil,
        currency: String? = nil, kind: RevenueKind = .iap
    ) {
        self.init(name, eventID, device, amount.map { .exact($0) }, currency, kind)
    }

    /// The same with an amount that is a `Double`: finite, below 10¹² in magnitude, read as its shortest decimal form.
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
    /// The event in the core's types, checked.
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
