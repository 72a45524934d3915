import SKANCore

/// Trouble that comes again and again: the first is written at once, and then one line a minute, which says
/// how often it came meanwhile. Lines that differ only in what they quote are the same, such as the key of a record.
struct RepeatedLines {
    struct Line {
        let event: StaticString
        let level: LineLevel
        let words: Message
        /// The number of times that it came again in the present minute.
        fileprivate(set) var count: UInt64
        /// The end of that minute, on the clock of `millisecondsNow`.
        fileprivate var end: Int64
        /// The words by which it is known again.
        fileprivate let plainWords: [UInt8]
    }

    private var lines: [Line] = []

    private static var minute: Int64 { 60_000 }
    /// With more kinds of lines at a time, further ones are written each time.
    private static var most: Int { 64 }

    /// Takes a line. Returns whether it is to be written, since it was not within the last minute; otherwise counts it.
    mutating func isNew(_ event: StaticString, _ level: LineLevel, _ words: Message, at now: Int64) -> Bool {
        let plainWords = words.utf8.withoutQuotes
        if let place = lines.firstIndex(where: {
            $0.event.bytes.elementsEqual(event.bytes) && $0.plainWords == plainWords
        }) {
            lines[place].count += 1
            return false
        }
        guard lines.count < RepeatedLines.most else { return true }
        lines.append(
            Line(
                event: event, level: level, words: words, count: 0, end: now + RepeatedLines.minute,
                plainWords: plainWords))
        return true
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
