internal import SKANCommandOutput
internal import SKANCore

/// A range of counts in words. Counts are whole: up to, not including, 5 is at most 4.
struct CountWords {
    private let least: Int64
    /// nil: there is no end.
    private let most: Int64?

    init(_ condition: CountCondition) {
        least = condition.min
        most = condition.max == CountCondition.open ? nil : condition.max &- 1
    }

    /// Whether every count is in it.
    var isEverything: Bool { least == 0 && most == nil }

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

    private func ending(_ count: Int64) -> StaticString { plural(count.magnitude) }
}
