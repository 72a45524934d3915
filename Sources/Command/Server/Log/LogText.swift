import SKANCore
import SKANSystem

extension ByteBuffer {
    /// Appends the text's first `longest` bytes (and the rest of a character that they cut) as a JSON string. Invalid
    /// UTF-8 becomes U+FFFD, so that every line is valid JSON.
    mutating func append(logged text: Bytes, atMost longest: Int) {
        append(UInt8(ascii: "\""))
        var place = 0
        while place < min(text.count, longest) {
            let byte = text[place]
            let length = utf8Length(Bytes(rebasing: text[place...]))
            switch byte {
            case _ where length == 0: append("\\ufffd")
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0..<0x20, 0x7F:
                append("\\u00")
                append(UInt8(ascii: "0") + byte >> 4)
                append(hexDigit(byte & 15) | 0x20)
            default: append(Bytes(rebasing: text[place..<place + length]))
            }
            place += max(length, 1)
        }
        append(UInt8(ascii: "\""))
    }
}

/// Returns how many bytes of a path that no route matches are logged: those before the first unusual byte, at most 64.
/// The other bytes may contain keys, if the client forgot the `?` before the query.
func loggedLength(ofPath path: Bytes) -> Int {
    let length = path.firstIndex { !isReported($0) } ?? path.count
    return min(length, 64)
}

private func isReported(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"): true
    default: false
    }
}
