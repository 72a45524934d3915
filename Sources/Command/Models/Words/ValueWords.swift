package import SKANCore

/// Values in words: "fine 5, coarse medium, locks the window".
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

/// The words with ", " between them.
func listed(_ words: [Message]) -> Message {
    var text: [UInt8] = []
    for word in words {
        if !text.isEmpty { text += [UInt8(ascii: ","), UInt8(ascii: " ")] }
        text += word.utf8
    }
    return Message(utf8: text)
}
