import SKANCommandRows
import SKANCore

/// For each event and window, the number of winning postbacks of installs and redownloads whose value proves the event.
/// Empty if no value proves an event, to save memory.
struct EventCounts {
    private var counts: [UInt64] = []

    /// Returns the minimum number of installs that had the event. All windows report on the same installs, so the
    /// largest count of a window is proven, but not the sum of the windows' counts.
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

/// The events that values have proved, numbered in the order in which they were first counted.
struct EventNames {
    /// Names as in the column `events` of the rows of postbacks. The index is the event's number.
    private(set) var names: [[UInt8]] = []
    private var numbers: [[UInt8]: Int] = [:]
    /// A cache of `numbers(of:)`: the numbers of the events in each list of names. There are few different lists.
    private var lists: [[UInt8]: [Int]] = [:]

    /// Returns the numbers of the events in a list of names separated by commas.
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
