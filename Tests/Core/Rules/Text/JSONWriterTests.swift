import SKANCore
import Testing

/// JSON that is written: escaped in one way. Where commas stand, the documents of Tests/Vectors show. This test alone
/// judges each byte that has to be escaped.
struct JSONWriterTests {
    @Test func everyByteIsEscapedInOneWay() {
        for byte in UInt8.min...UInt8(0x7F) {
            let hex = String(byte, radix: 16)
            let expected =
                switch byte {
                case UInt8(ascii: "\""): #"\""#
                case UInt8(ascii: "\\"): #"\\"#
                case 0..<0x20: #"\u00"# + (byte < 16 ? "0" : "") + hex
                default: String(UnicodeScalar(byte))
                }
            #expect(writtenJSON { json in [byte].withUnsafeBytes { json.string(utf8: $0) } } == "\"\(expected)\"")
        }
        #expect(writtenJSON { json in "é😀\u{2028}".withBytes { json.string(utf8: $0) } } == "\"é😀\u{2028}\"")
    }
}
