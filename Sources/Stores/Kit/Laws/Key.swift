internal import SKANCore
internal import SKANSystem

struct Key: Sendable {
    let bytes: [UInt8]
    /// The key as a C string.
    let text: [CChar]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        text = CText(bytes).characters
    }

    var shown: Message { Key.shown(bytes) }

    /// The bytes as text that is safe to print on a terminal.
    static func shown(_ bytes: [UInt8]) -> Message {
        var text: [UInt8] = [UInt8(ascii: "\"")]
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), ..<0x20, 0x7F...:
                text += [UInt8(ascii: "\\"), UInt8(ascii: "x"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            default:
                text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
        return Message(utf8: text)
    }
}
