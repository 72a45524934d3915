import SKANCore

/// Limits how often a recurring problem is logged. Its first line is written at once; after that, one line a minute
/// says how often the problem recurred. Lines that differ only in quoted text, such as the key of a record, count as
/// the same.
struct RepeatedLines {
    struct Line {
        let event: StaticString
        let level: LineLevel
        let words: Message
        /// The number of times that the line recurred in its current minute.
        fileprivate(set) var count: UInt64
        /// The end of the line's current minute, on the clock of `millisecondsNow`.
        fileprivate var end: Int64
        /// The words without quoted text, by which the line is recognized when it recurs.
        fileprivate let plainWords: [UInt8]
    }

    private var lines: [Line] = []

    private static var minute: Int64 { 60_000 }
    /// The maximum number of different lines that are remembered. Further ones are written every time.
    private static var most: Int { 64 }

    /// Returns true if a line is to be written, because it did not occur within the last minute. Otherwise counts that
    /// it recurred.
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

    /// Returns the lines that recurred in a minute that has ended, and begins their next minute. Forgets the lines that
    /// did not recur.
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

    /// When the log ends, returns the lines that recurred since they were last logged.
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
