import SKANCore
import Testing

/// JSON that is written: separated where it must be, escaped in one way, read back as it was meant.
struct JSONWriterTests {
    @Test func commasComeByThemselves() {
        let text = writtenJSON { json in
            json.beginObject()
            json.key("a")
            json.integer(-1)
            json.key("b")
            json.beginArray()
            json.beginObject()
            json.endObject()
            json.beginArray()
            json.endArray()
            json.null()
            json.bool(true)
            json.bool(false)
            json.string("x")
            "1.50".withBytes { json.json(utf8: $0) }
            json.integer(nil)
            json.endArray()
            json.key("c")
            json.beginObject()
            json.key("d")
            json.beginObject()
            json.endObject()
            json.endObject()
            json.key { $0.append("USD") }
            json.string { $0.append("EUR") }
            json.endObject()
        }
        #expect(
            text == #"{"a":-1,"b":[{},[],null,true,false,"x",1.50,null],"c":{"d":{}},"USD":"EUR"}"#)
    }

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

    @Test func whatIsWrittenReadsBack() throws {
        var chance = Chance(13)
        for _ in 0..<200 {
            let scalars = (0..<chance.number(0...20)).compactMap { _ in UnicodeScalar(chance.number(0...0x2FF)) }
            let name = String(String.UnicodeScalarView(scalars.filter { $0 != "\0" }))
            let value = String(String.UnicodeScalarView(scalars.reversed()))
            let text = writtenJSON { json in
                json.beginObject()
                name.withBytes { json.key(utf8: $0) }
                value.withBytes { json.string(utf8: $0) }
                json.endObject()
            }
            try text.withBytes { text in
                let members = try JSONDocument(text).members
                #expect(members.count == 1)
                #expect(members.first?.key.withUTF8 { String(decoding: $0, as: UTF8.self) } == name)
                #expect(members.first?.value.string?.withUTF8 { String(decoding: $0, as: UTF8.self) } == value)
            }
        }
    }
}
