package import SKANCore

/// Values in words: "fine 5, coarse medium, locks the window".
package func valueWords(fine: Int64?, coarse: Int64?, locks: Bool) -> Message {
    var words: [Message] = []
    if let fine { words.append("fine \(fine)") }
    if let coarse { words.append("coarse \(coarseWord(coarse))") }
    if locks { words.append("locks the window") }
    return words.isEmpty ? "no value" : listed(words)
}

extension ModelRule {
    var valueWords: Message {
        SKANCommandModels.valueWords(
            fine: fine.map { Int64($0) }, coarse: coarse.map { Int64($0) }, locks: locksWindow)
    }
}

/// "low", "medium", "high".
package func coarseWord(_ value: Int64) -> StaticString {
    switch value {
    case 0: "low"
    case 1: "medium"
    case 2: "high"
    default: "none"
    }
}

/// With ", " between them.
func listed(_ words: [Message]) -> Message {
    var text: [UInt8] = []
    for word in words {
        if !text.isEmpty { text += [UInt8(ascii: ","), UInt8(ascii: " ")] }
        text += word.utf8
    }
    return Message(utf8: text)
}
