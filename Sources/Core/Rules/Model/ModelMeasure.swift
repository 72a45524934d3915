/// Rules, "Model measures": a named number of an install, which is computed from its events.
package final class ModelMeasure: Sendable {
    /// The quantity that the measure counts. The raw values are the order of the words in documents.
    package enum Counting: Int, Sendable {
        /// The number of events.
        case count
        /// The sum of the amounts that came with the events.
        case sum
        /// The number of distinct days with an event.
        case days

        /// The word that documents use for the quantity.
        package var word: StaticString {
            switch self {
            case .count: "count"
            case .sum: "sum"
            case .days: "days"
            }
        }
    }

    /// The name of the measure, 1...32 printable ASCII bytes.
    package let name: [UInt8]
    package let counting: Counting
    /// The names of the events that count, in the document's order, including "*" and `__SESSION__`.
    package let events: [EventName]
    package let isLifetime: Bool
    /// The kind of revenue that an event must come with to count; nil if it needs none.
    package let kind: RevenueKind?
    /// The range in which the amount of an event must be for the event to count; nil if there is no such filter.
    package let amount: ModelCondition?
    /// The range in which the time of an event must be for the event to count, in hours since the install; nil if there
    /// is no such filter.
    package let time: ModelCondition?
    /// Whether the document gives the range of `time` in days.
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

    /// Whether the measure depends on the money of events.
    package var asksAmount: Bool { counting == .sum || kind != nil || amount != nil }

    /// Whether an event passes the filters. The caller has checked its name.
    @inline(__always)
    func takes(_ event: MeasuredEvent) -> Bool {
        if let time, event.hours < time.min || event.hours >= time.max { return false }
        if let kind, event.kind != kind { return false }
        guard let amount else { return true }
        guard let units = event.units else { return false }
        return units >= amount.min && units < amount.max
    }

    /// Whether a stored value is possible for this measure.
    package func canHave(_ value: MeasureValue) -> Bool {
        switch counting {
        case .count: value.number >= 0 && value.number <= Int128(UInt32.max)
        case .sum: value.number.magnitude <= MeasureValue.limit.magnitude
        case .days: value.number >= 0 && value.number >> 64 == 0 && (value == .zero || value.count > 0)
        }
    }

    /// The value after an event that passes the filters.
    @inline(__always)
    func adding(_ event: MeasuredEvent, to value: MeasureValue) -> MeasureValue {
        switch counting {
        case .count: value.countingOne
        case .sum: value.adding(event.units ?? 0)
        case .days: value.counting(day: Int64(truncatingIfNeeded: event.hours / Day.hours))
        }
    }
}

/// An event as measures see it.
struct MeasuredEvent {
    /// Hours since the install.
    let hours: Int128
    /// The kind of the event's amount; nil if it has no amount.
    let kind: RevenueKind?
    /// The amount in the model's currency; nil without an amount or a rate.
    let units: Int128?
}

/// The measures of a model, and the events that they name.
package struct ModelMeasures: Sendable {
    /// The measures, at most 32, in the document's order.
    package let list: [ModelMeasure]
    /// The events that measures name one by one, each with one bit for each measure that names it.
    private var names: [(name: EventName, measures: UInt32)] = []
    /// The measures that name "*", so that every event but a session counts; one bit for each measure.
    private var ofEvents: UInt32 = 0
    private var ofSessions: UInt32 = 0
    /// The lifetime measures, which are never reset, one bit for each.
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

    /// The measures that name an event, either by its name or as "*"; one bit for each measure.
    @inline(__always)
    func naming(_ event: EventName) -> UInt32 {
        if list.isEmpty { return 0 }
        if event.isSession { return ofSessions }
        for entry in names where entry.name == event { return entry.measures | ofEvents }
        return ofEvents
    }

    /// Whether any measure names an event, either by its name or as "*".
    package func names(_ event: EventName) -> Bool { naming(event) != 0 }

    /// The index of the measure with this name; nil if there is none.
    func number(of name: [UInt8]) -> Int? {
        for index in list.indices where list[index].name == name { return index }
        return nil
    }
}
