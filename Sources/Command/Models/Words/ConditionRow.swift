import SKANCore

/// The words, keys and columns with which `skan` shows, exports and imports a condition. There is one row for each kind
/// of axis.
struct ConditionRow {
    /// The condition in words, for example "3+ sessions".
    let words: Message
    /// The quantity that the condition restricts, for example "sessions".
    let subject: Message
    /// The keys for the bounds of the condition's range in the row form.
    let keys: RangeKeys
    /// The columns for the bounds of the condition's range in AppsFlyer's table.
    let columns: Columns?
    /// libskan's name of the only event that the condition counts; empty if it counts none or several.
    var event: [UInt8] = []

    enum Columns {
        case counter, revenue, time
    }
}

extension ConversionModel {
    func row(of condition: ModelCondition) -> ConditionRow {
        let count = CountWords(condition)
        switch condition.axis.subject {
        case .count(0):
            return ConditionRow(
                words: count.sessions, subject: "sessions", keys: .sessions, columns: .counter, event: sessionName)
        case .count:
            let name = event(of: condition).map { Message(writing: $0.write) } ?? ""
            return ConditionRow(
                words: count.event(name), subject: name, keys: .counter, columns: .counter, event: name.utf8)
        case .time:
            return ConditionRow(
                words: condition.isOfWholeDays ? CountWords(condition.inDays).day : count.hours,
                subject: "the time since install", keys: .time, columns: .time)
        case .revenue(let axis):
            return ConditionRow(
                words: revenueWords(condition, axis, currency), subject: "\(axis.kindName) revenue",
                keys: .revenue, columns: .revenue)
        case .measure(let number):
            let measure = measures.list[number]
            let (name, isAmount) = (measure.nameWords, condition.isAmount)
            return ConditionRow(
                words: isAmount ? "\(name) \(rangeWords(condition, currency))" : count.measure(name),
                subject: "the measure \"\(name)\"", keys: measure.counting.keys,
                columns: isAmount ? .revenue : .counter,
                event: measure.events.count == 1 ? Message(writing: measure.events[0].write).utf8 : [])
        }
    }
}

/// The keys for the two bounds of a range in the row form.
struct RangeKeys {
    let min: StaticString
    let max: StaticString

    static var counter: RangeKeys { RangeKeys(min: "min_event_counter", max: "max_event_counter") }
    static var sessions: RangeKeys { RangeKeys(min: "min_sessions", max: "max_sessions") }
    static var revenue: RangeKeys { RangeKeys(min: "min_revenue", max: "max_revenue") }
    static var time: RangeKeys { RangeKeys(min: "min_time_post_install", max: "max_time_post_install") }
}

extension ConditionKey {
    /// The keys for the bounds of the range in the row form, and all keys that its object may have; nil for conditions
    /// that are lists.
    var rangeKeys: (range: RangeKeys, known: StaticString)? {
        switch self {
        case .sessions: (.sessions, "min_sessions max_sessions")
        case .day, .hours: (.time, "min_time_post_install max_time_post_install time_unit")
        case .events, .revenue, .measures: nil
        }
    }
}

extension ModelMeasure.Counting {
    var keys: RangeKeys {
        switch self {
        case .count: .counter
        case .sum: RangeKeys(min: "min_event_revenue", max: "max_event_revenue")
        case .days: RangeKeys(min: "min_days", max: "max_days")
        }
    }
}

extension ModelCondition {
    /// Whether both bounds of a range of hours are whole days.
    fileprivate var isOfWholeDays: Bool { min % Day.hours == 0 && (end ?? 0) % Day.hours == 0 }
}

let sessionName = [UInt8](StaticString("__SESSION__").bytes)
