/// Why a call failed: an error status, and a message that says what was wrong, where, what was expected and what was
/// there. The message is UTF-8; a server's reason is passed on in it unchanged.
package struct Failure: Error, Sendable {
    package let status: Status
    package let message: [UInt8]

    package init(_ status: Status, _ message: String) {
        self.init(status, utf8: Array(message.utf8))
    }

    package init(_ status: Status, utf8 message: [UInt8]) {
        self.status = status
        self.message = message
    }
}

/// What was there, for a message: printable ASCII as it is, every other byte as \xNN, cut after 48 bytes.
package func quoted(_ bytes: UnsafeRawBufferPointer) -> String {
    var text: [UInt8] = [UInt8(ascii: "\"")]
    for byte in bytes.prefix(48) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            text.append(UInt8(ascii: "\\"))
            text.append(byte)
        case 0x20...0x7E:
            text.append(byte)
        default:
            text.append(UInt8(ascii: "\\"))
            text.append(UInt8(ascii: "x"))
            text.append(hexDigit(byte >> 4))
            text.append(hexDigit(byte & 15))
        }
    }
    text.append(UInt8(ascii: "\""))
    let cut = bytes.count > 48 ? "... (\(bytes.count) bytes)" : ""
    return String(decoding: text, as: UTF8.self) + cut
}

/// The upper-case hexadecimal digit of 0...15.
@inline(__always)
package func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &+ (value &- 10)
}
