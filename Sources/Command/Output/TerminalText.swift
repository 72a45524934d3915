package import SKANCore
package import SKANSystem

/// Returns the Unicode scalar encoded at a position, and its length in bytes; nil if there is no well-formed UTF-8.
package func nextScalar(_ text: Bytes, at place: Int) -> (scalar: UInt32, length: Int)? {
    guard text.indices.contains(place) else { return nil }
    let rest = Bytes(rebasing: text[place...])
    let length = utf8Length(rest)
    guard length > 0, let first = rest.first else { return nil }
    var scalar = length == 1 ? UInt32(first) : UInt32(first) & (0xFF >> UInt32(length + 1))
    for byte in rest.prefix(length).dropFirst() { scalar = scalar << 6 | UInt32(byte & 0x3F) }
    return (scalar, length)
}

/// Whether a terminal might interpret a character: a control character, or a mark that changes the writing direction.
package func isObeyedByTerminals(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}

/// Returns the text, with invalid UTF-8 and everything that a terminal might interpret written as \xNN.
package func escapedForTerminal(_ text: Bytes) -> Message {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
        let next = nextScalar(text, at: place)
        let length = next?.length ?? 1
        let isPlain = next.map { !isObeyedByTerminals($0.scalar) } ?? false
        for byte in text[place..<place + length] {
            if isPlain {
                escaped.append(byte)
            } else {
                escaped += [UInt8(ascii: "\\"), UInt8(ascii: "x"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        place += length
    }
    return Message(utf8: escaped)
}
