import SKANCommandOutput
import SKANCore

/// A range of counts in words. Counts are whole numbers, so "less than 5" is "at most 4".
struct CountWords {
    private let least: Int64
    /// nil if there is no upper limit.
    private let most: Int64?

    init(_ condition: ModelCondition) {
        least = Int64(clamping: condition.min)
        most = condition.end.map { Int64(clamping: $0 - 1) }
    }

    func event(_ name: Message) -> Message {
        guard let most else { return least == 1 ? name : "\(name) \(least)+ times" }
        if most == 0 { return "no \(name)" }
        if least == 0 { return "\(name) at most \(most) time\(ending(most))" }
        return least == most ? "\(name) \(most) time\(ending(most))" : "\(name) \(least) to \(most) times"
    }

    var sessions: Message {
        guard let most else { return "\(least)+ sessions" }
        if most == 0 { return "no session" }
        if least == most { return "\(most) session\(ending(most))" }
        return least == 0 ? "at most \(most) session\(ending(most))" : "\(least) to \(most) sessions"
    }

    var day: Message {
        guard let most else { return "day \(least) or later" }
        return least == most ? "day \(least)" : "days \(least) to \(most)"
    }

    var hours: Message {
        guard let most else { return "hour \(least) or later" }
        return least == most ? "hour \(least)" : "hours \(least) to \(most)"
    }

    func measure(_ name: Message) -> Message {
        guard let most else { return "\(name) \(least)+" }
        return least == most ? "\(name) \(most)" : "\(name) \(least) to \(most)"
    }

    private func ending(_ count: Int64) -> StaticString { plural(count.magnitude) }
}
