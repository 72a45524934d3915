/// Rules, "Endpoint users": the spelling of users' ids. Apple prints the letters of a UUID as capitals, some hosts as
/// small letters; both spellings are one user.

/// Whether a text has the form of a UUID: 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between.
package func isUUID(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == 36 else { return false }
    for index in 0..<36 {
        let byte = text[index]
        switch index {
        case 8, 13, 18, 23: guard byte == UInt8(ascii: "-") else { return false }
        default: guard isHexDigit(byte) else { return false }
        }
    }
    return true
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        true
    default: false
    }
}

extension ByteBuffer {
    /// Appends a user's id. An id of UUID form is written in capitals, any other as it is.
    package mutating func append(user: UnsafeRawBufferPointer) {
        guard isUUID(user) else { return append(user) }
        for byte in user { append(byte >= UInt8(ascii: "a") ? byte & 0xDF : byte) }
    }
}
