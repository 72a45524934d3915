import SKANCore

/// Trouble that comes again and again: the first is written at once, and then one line a minute, which says
/// how often it came meanwhile. Lines that differ only in what they quote are the same, such as the key of a record.
struct RepeatedLines {
    struct Line {
        let event: StaticString
        let level: LineLevel
        let words: Message
        /// How often it came in the minute that ends then, in milliseconds.
        fileprivate(set) var count: UInt64
        fileprivate var end: Int64
        fileprivate let sign: [UInt8]
    }

    private var lines: [Line] = []

    private static var minute: Int64 { 60_000 }
    /// With more kinds of lines at a time, further ones are written each time.
    private static var most: Int { 64 }

    /// Whether the line was written within the last minute. It is counted then, otherwise noted.
    mutating func hasLine(_ event: StaticString, _ level: LineLevel, _ words: Message, at now: Int64) -> Bool {
        let sign = words.utf8.withoutQuotes
        if let place = lines.firstIndex(where: { $0.event.bytes.elementsEqual(event.bytes) && $0.sign == sign }) {
            lines[place].count += 1
            return true
        }
        guard lines.count < RepeatedLines.most else { return false }
        lines.append(
            Line(event: event, level: level, words: words, count: 0, end: now + RepeatedLines.minute, sign: sign))
        return false
    }

    /// The lines that came again in a minute that has ended. Their next minute begins.
    mutating func due(at now: Int64) -> [Line] {
        guard lines.contains(where: { $0.end <= now }) else { return [] }
        lines.removeAll { $0.end <= now && $0.count == 0 }
        let due = lines.filter { $0.end <= now }
        for place in lines.indices where lines[place].end <= now {
            lines[place].count = 0
            lines[place].end = now + RepeatedLines.minute
        }
        return due
    }

    /// All that were not told yet, when the log ends.
    mutating func takeAll() -> [Line] {
        defer { lines = [] }
        return lines.filter { $0.count > 0 }
    }
}

extension [UInt8] {
    fileprivate var withoutQuotes: [UInt8] {
        var isQuoted = false
        return filter { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return !isQuoted
        }
    }
}
