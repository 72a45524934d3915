/// Rules, "Model document": a conversion model that was read and checked. It decides the value of an install by what
/// happened in the install's current window.
package final class ConversionModel: Sendable {
    /// SHA-256 of the document's bytes.
    package let version: SHA256
    /// The id of the model, 1...64 printable ASCII bytes.
    package let id: [UInt8]
    package let protocolVersion: ProtocolVersion
    /// Rules, "Re-engagement models": whether the model is for re-engagements instead of installs.
    package let isForReengagements: Bool
    /// The currency in which revenue is counted.
    package let currency: Currency
    /// The rates of other currencies, sorted by currency.
    package let rates: [ModelRate]
    package let raiseOnly: Bool
    /// The events that conditions count one by one. The n-th event has the n-th count; count 0 is that of sessions.
    package let events: [EventName]
    package let measures: ModelMeasures
    /// The condition keys that documents about the model, such as explanations, contain.
    private let shown: ConditionKeys
    package let windows: [ModelWindow]

    init(
        version: SHA256, id: [UInt8], protocolVersion: ProtocolVersion, isForReengagements: Bool, currency: Currency,
        rates: [ModelRate], raiseOnly: Bool, events: [EventName], measures: ModelMeasures, shown: ConditionKeys,
        windows: [ModelWindow]
    ) {
        assert(windows.count == protocolVersion.windowCount && events.count <= Limits.modelEvents)
        self.version = version
        self.id = id
        self.protocolVersion = protocolVersion
        self.isForReengagements = isForReengagements
        self.currency = currency
        self.rates = rates
        self.raiseOnly = raiseOnly
        self.events = events
        self.measures = measures
        self.shown = shown
        self.windows = windows
    }

    /// The index of an event's count; nil if the event is not counted.
    @inline(__always)
    package func place(of event: EventName) -> Int? {
        if event.isSession { return 0 }
        for index in events.indices where events[index] == event { return index &+ 1 }
        return nil
    }

    /// Whether documents about the model, such as explanations, contain a condition key.
    package func shows(_ key: ConditionKey) -> Bool { shown.contains(key) }

    /// The event that a condition counts; nil if its subject is something else.
    package func event(of condition: ModelCondition) -> EventName? {
        guard let place = condition.axis.place, place >= 1, place <= events.count else { return nil }
        return events[place &- 1]
    }

    /// The rules of a window; nil if the protocol does not have the window.
    @inline(__always)
    package func window(_ window: Window) -> ModelWindow? {
        let index = Int(window.rawValue)
        return index < windows.count ? windows[index] : nil
    }
}

/// The rate at which a currency is converted to the model's.
package struct ModelRate: Sendable {
    package let currency: Currency
    /// The rate in units of 10⁻¹².
    package let units: Int128
}
