/// Rules, "Model measures": a named number of an install, made of its events.
package final class ModelMeasure: Sendable {
    /// What it tells of its events; the numbers are those of the words in documents.
    package enum Counting: Int, Sendable {
        /// How many there were.
        case count
        /// The money that came with them.
        case sum
        /// The number of distinct days on which they came.
        case days

        /// The word that documents have for it.
        package var word: StaticString {
            switch self {
            case .count: "count"
            case .sum: "sum"
            case .days: "days"
            }
        }
    }

    /// 1...32 printable ASCII bytes.
    package let name: [UInt8]
    package let counting: Counting
    /// The names in the document's order, with "*" and `__SESSION__` among them.
    package let events: [EventName]
    package let isLifetime: Bool
    /// The kind of revenue that counts; nil for any event.
    package let kind: RevenueKind?
    /// The event's amount is in this range; nil asks for nothing.
    package let amount: ModelCondition?
    /// The event's time since install, in hours.
    package let time: ModelCondition?
    /// Whether the document has that time in days.
    package let isTimeInDays: Bool

    init(
        name: [UInt8], counting: Counting, events: [EventName], isLifetime: Bool, kind: RevenueKind?,
        amount: ModelCondition?, time: ModelCondition?, isTimeInDays: Bool
    ) {
        self.name = name
        self.counting = counting
        self.events = events
        self.isLifetime = isLifetime
        self.kind = kind
        self.amount = amount
        self.time = time
        self.isTimeInDays = isTimeInDays
    }

    /// Whether it looks at the money that comes with an event.
    package var asksAmount: Bool { counting == .sum || kind != nil || amount != nil }

    /// An event passes the filters; its name was looked at before.
    @inline(__always)
    func takes(_ event: MeasuredEvent) -> Bool {
        if let time, event.hours < time.min || event.hours >= time.max { return false }
        if let kind, event.kind != kind { return false }
        guard let amount else { return true }
        guard let units = event.units else { return false }
        return units >= amount.min && units < amount.max
    }

    /// Whether it can have come to a number.
    package func canHave(_ value: MeasureValue) -> Bool {
        switch counting {
        case .count: value.number >= 0 && value.number <= Int128(UInt32.max)
        case .sum: value.number.magnitude <= MeasureValue.limit.magnitude
        case .days: value.number >= 0 && value.number >> 64 == 0 && (value == .zero || value.count > 0)
        }
    }

    /// Its number after an event that it takes.
    @inline(__always)
    func adding(_ event: MeasuredEvent, to value: MeasureValue) -> MeasureValue {
        switch counting {
        case .count: value.countingOne
        case .sum: value.adding(event.units ?? 0)
        case .days: value.counting(day: Int64(truncatingIfNeeded: event.hours / ModelCondition.hoursOfDay))
        }
    }
}

/// An event as measures see it.
struct MeasuredEvent {
    /// Hours since the install.
    let hours: Int128
    /// The kind of the amount that came with it, nil without one.
    let kind: RevenueKind?
    /// The amount in the model's currency, nil without one or without a rate.
    let units: Int128?
}

/// The measures of a model, and the events that they name.
package struct ModelMeasures: Sendable {
    /// The measures, at most 32, in the document's order.
    package let list: [ModelMeasure]
    /// Each event by name, with one bit for each measure that names it.
    private var names: [(name: EventName, measures: UInt32)] = []
    /// The measures of every event that is no session.
    private var ofEvents: UInt32 = 0
    private var ofSessions: UInt32 = 0
    /// The measures that never begin again.
    package private(set) var lifetime: UInt32 = 0

    package init(_ list: [ModelMeasure]) {
        assert(list.count <= Limits.modelMeasures)
        self.list = list
        for index in list.indices {
            let bit: UInt32 = 1 << UInt32(truncatingIfNeeded: index)
            if list[index].isLifetime { lifetime |= bit }
            for event in list[index].events { add(event, bit) }
        }
    }

    @_optimize(size)
    private mutating func add(_ event: EventName, _ bit: UInt32) {
        if event.isSession {
            ofSessions |= bit
        } else if event.isEveryEvent {
            ofEvents |= bit
        } else if let place = names.firstIndex(where: { $0.name == event }) {
            names[place].measures |= bit
        } else {
            names.append((event, bit))
        }
    }

    package var isEmpty: Bool { list.isEmpty }

    /// The measures that name an event, one bit for each.
    @inline(__always)
    func naming(_ event: EventName) -> UInt32 {
        if list.isEmpty { return 0 }
        if event.isSession { return ofSessions }
        for entry in names where entry.name == event { return entry.measures | ofEvents }
        return ofEvents
    }

    /// True if any measure names an event.
    package func names(_ event: EventName) -> Bool { naming(event) != 0 }

    /// The number of a measure, nil where none has the name.
    func number(of name: [UInt8]) -> Int? {
        for index in list.indices where list[index].name == name { return index }
        return nil
    }
}
