package import SKANCore

/// Returns values in words, such as "fine 5, coarse medium, locks the window".
package func valueWords(fine: UInt8?, coarse: UInt8?, locks: Bool) -> Message {
    var words: [Message] = []
    if let fine { words.append("fine \(fine)") }
    if let coarse { words.append("coarse \(coarseName(coarse))") }
    if locks { words.append("locks the window") }
    return words.isEmpty ? "no value" : listed(words)
}

extension ModelRule {
    var valueWords: Message { SKANCommandModels.valueWords(fine: fine, coarse: coarse, locks: locksWindow) }
}

/// Joins the words with ", ".
func listed(_ words: [Message]) -> Message {
    var text: [UInt8] = []
    for word in words {
        if !text.isEmpty { text += [UInt8(ascii: ","), UInt8(ascii: " ")] }
        text += word.utf8
    }
    return Message(utf8: text)
}

/// Returns ascending numbers in words, such as "0, 3 to 5". Three or more consecutive numbers become a range.
package func numberWords(_ numbers: [Int]) -> Message {
    var words: [Message] = []
    var place = 0
    while place < numbers.count {
        let first = numbers[place]
        var last = first
        while place + 1 < numbers.count, numbers[place + 1] == last + 1 {
            place += 1
            last += 1
        }
        place += 1
        switch last - first {
        case 0: words.append("\(first)")
        case 1: words += ["\(first)", "\(last)"]
        default: words.append("\(first) to \(last)")
        }
    }
    return listed(words)
}

extension ConversionModel {
    /// Returns words for the days on which a window is open, such as "days 0 and 1".
    func windowWords(_ window: Int) -> Message {
        if protocolVersion == .skan3 { return "open until 24 hours pass without a new value" }
        guard let days = daysOfWindow(window) else { return "" }
        let (first, last) = (days.lowerBound, days.upperBound - 1)
        return last - first == 1 ? "days \(first) and \(last)" : "days \(first) to \(last)"
    }

    /// The days on which a window of SKAN 4 is open, counted from the first call.
    func daysOfWindow(_ window: Int) -> Range<Int64>? { UInt8(exactly: window).flatMap { Window(rawValue: $0) }?.days }
}
