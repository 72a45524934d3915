import SKANCommandRows
import SKANCore

/// How many winning postbacks of installs and redownloads prove an event, by event and window. Empty unless there are
/// any, to save memory.
struct EventCounts {
    private var counts: [UInt64] = []

    /// The least number of installs that had the event. All windows report on the same installs, so the largest of
    /// their counts is what is proven.
    func installs(with event: Int) -> UInt64 {
        let first = event * Window.count
        return counts.dropFirst(first).prefix(Window.count).max() ?? 0
    }

    mutating func add(_ event: Int, _ window: Window) {
        grow(to: (event + 1) * Window.count)
        counts[event * Window.count + Int(window.rawValue)] += 1
    }

    mutating func add(_ more: EventCounts) {
        grow(to: more.counts.count)
        for (place, count) in more.counts.enumerated() { counts[place] += count }
    }

    private mutating func grow(to size: Int) {
        if counts.count < size { counts += [UInt64](repeating: 0, count: size - counts.count) }
    }
}

/// The events that values proved, numbered in the order in which postbacks were counted.
struct EventNames {
    /// The names as rows have them, in the column `events`.
    private(set) var names: [[UInt8]] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// The numbers of each list of names that a value has: there are few.
    private var lists: [[UInt8]: [Int]] = [:]

    /// The numbers of the events of a list, in which commas separate names.
    mutating func numbers(of list: [UInt8]) -> [Int] {
        if list.isEmpty { return [] }
        if let known = lists[list] { return known }
        let found = list.split(separator: UInt8(ascii: ",")).map { number(of: [UInt8]($0)) }
        lists[list] = found
        return found
    }

    private mutating func number(of name: [UInt8]) -> Int {
        if let known = numbers[name] { return known }
        numbers[name] = names.count
        names.append(name)
        return names.count - 1
    }
}
