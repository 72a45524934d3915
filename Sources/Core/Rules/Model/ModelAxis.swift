/// The quantity of an install that a condition compares: its sessions, the count of an event, the time since the first
/// call, revenue, or a measure. `ConditionKey` has the keys of documents, `ConversionModel.value` computes the
/// quantity, and `ConditionRow` says how `skan` shows and exchanges the condition.
package struct ModelAxis: Equatable, Sendable {
    /// The number of the axis: 0 for sessions, then the events in the order of their places, the time, nine kinds of
    /// revenue, and the measures in the order of their numbers. A rule's conditions are sorted by this number.
    package let number: UInt8

    @inline(__always)
    private init(number: Int) { self.number = UInt8(truncatingIfNeeded: number) }

    package static var sessions: ModelAxis { ModelAxis(number: 0) }
    /// The count at a place of the model's list of counts; place 0 counts sessions.
    package static func count(_ place: Int) -> ModelAxis { ModelAxis(number: place) }
    /// The time since the first call, in whole hours.
    package static var time: ModelAxis { ModelAxis(number: Limits.modelCounts) }
    package static func revenue(_ axis: RevenueAxis) -> ModelAxis {
        ModelAxis(number: firstRevenue &+ Int(axis.number))
    }
    package static func measure(_ number: Int) -> ModelAxis { ModelAxis(number: firstMeasure &+ number) }

    private static var firstRevenue: Int { Limits.modelCounts &+ 1 }
    private static var firstMeasure: Int { firstRevenue &+ Int(RevenueAxis.count) }
    /// The maximum number of axes of a model.
    static var count: Int { firstMeasure &+ Limits.modelMeasures }

    package enum Subject {
        /// A count, by its place in the model's list of counts; place 0 counts sessions.
        case count(Int)
        case time
        case revenue(RevenueAxis)
        /// A measure, by its index in the model.
        case measure(Int)
    }

    package var subject: Subject {
        @inline(__always)
        get {
            let number = Int(number)
            if number < Limits.modelCounts { return .count(number) }
            if number < ModelAxis.firstRevenue { return .time }
            if number >= ModelAxis.firstMeasure { return .measure(number &- ModelAxis.firstMeasure) }
            return .revenue(RevenueAxis(number: UInt8(truncatingIfNeeded: number &- ModelAxis.firstRevenue)))
        }
    }

    /// The place of a count; nil if the axis is not a count.
    package var place: Int? { if case .count(let place) = subject { place } else { nil } }
    package var revenue: RevenueAxis? { if case .revenue(let axis) = subject { axis } else { nil } }
    /// The index of a measure in the model; nil if the axis is not a measure.
    package var measure: Int? { if case .measure(let number) = subject { number } else { nil } }
}

/// Rules, "Model document", "Digits": the keys of `when`. The `Row` of a key says how documents write its conditions.
package enum ConditionKey: UInt8, Sendable {
    case events, revenue, sessions, day, hours, measures

    package struct Row {
        /// The key in `when`, such as "events".
        package let name: StaticString
        /// The key for the same quantity in a digit, such as "event".
        package let digit: StaticString
        package let form: Form
    }

    package enum Form {
        /// One object with a range on the axis. The numbers in the object are multiplied by `unit` to convert them to
        /// the axis's unit.
        case range(ModelAxis, unit: Int128)
        /// A list of objects that name an event, a kind of revenue, or a measure.
        case list
    }

    package var row: Row {
        switch self {
        case .events: Row(name: "events", digit: "event", form: .list)
        case .revenue: Row(name: "revenue", digit: "revenue", form: .list)
        case .sessions: Row(name: "sessions", digit: "sessions", form: .range(.sessions, unit: 1))
        case .day: Row(name: "day", digit: "day", form: .range(.time, unit: Day.hours))
        case .hours: Row(name: "hours", digit: "hours", form: .range(.time, unit: 1))
        case .measures: Row(name: "measures", digit: "measure", form: .list)
        }
    }

    /// The keys in the order in which documents list them.
    package static var all: [ConditionKey] { [.events, .revenue, .sessions, .day, .hours, .measures] }
    /// The keys in the order in which they are read: if two conditions of a rule cannot be met together, the later one
    /// is refused.
    static var read: [ConditionKey] { [.sessions, .events, .day, .hours, .revenue, .measures] }
    static var names: StaticString { "events revenue sessions day hours measures" }
    static var digitNames: StaticString { "event measure revenue sessions day hours at" }
    static var digitChoice: StaticString { "event, measure, revenue, sessions, day and hours" }
    /// The keys in the order in which explanation documents list them.
    static var explained: [ConditionKey] { [.day, .hours, .sessions, .events, .measures, .revenue] }

    /// Whether this key's list contains the conditions on an axis.
    func lists(_ axis: ModelAxis) -> Bool {
        switch axis.subject {
        case .count(let place): self == .events && place > 0
        case .revenue: self == .revenue
        case .measure: self == .measures
        case .time: false
        }
    }
}

package struct ConditionKeys: Sendable {
    private var bits: UInt8 = 0

    /// The keys that explanations always show. They show the other keys only if the model uses them.
    static var alwaysShown: ConditionKeys {
        var keys = ConditionKeys()
        for key in [ConditionKey.events, .revenue, .sessions, .day] { keys.insert(key) }
        return keys
    }

    mutating func insert(_ key: ConditionKey) { bits |= 1 << key.rawValue }

    package func contains(_ key: ConditionKey) -> Bool { bits >> key.rawValue & 1 != 0 }
}
