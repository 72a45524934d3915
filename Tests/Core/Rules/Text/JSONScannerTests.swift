import SKANCore
import Testing

/// Rules, "JSON": one RFC 8259 object in UTF-8, at most 32 deep, without doubles, NULs in keys,
/// trailing bytes and a byte-order mark. Vectors judge which texts are refused. These tests alone judge where a text is
/// wrong, by byte, line and column, every cut and every changed byte, and what an escape in a string means.
struct JSONScannerTests {
    private func fault(_ text: [UInt8]) -> JSONFault? {
        text.withUnsafeBytes { text in
            var scanner = JSONScanner(text)
            return scanner.scan()
        }
    }

    private func fault(_ text: String) -> JSONFault? { fault(Array(text.utf8)) }

    @Test(arguments: [
        "{}", " \t\r\n{ \t\r\n} \t\r\n", #"{"":0}"#, #"{"a":1,"b":2}"#, #"{ "a" : [ ] , "b" : { } }"#,
        #"{"a":[1,2,[],{},"",null,true,false]}"#, #"{"a":{"a":{"a":1}}}"#, #"{"a":0,"A":0,"a ":0,"":0}"#,
        #"{"a":-0,"b":0.0,"c":-1.5e-3,"d":1E+400,"e":12345678901234567890123456789}"#,
        #"{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\uDE00"}"#, #"{"a":"\u0000"}"#, #"{"a":"\ud800"}"#,
        #"{"a":"\udc00\ud800"}"#, #"{"\ud800":1,"\ud801":2}"#, #"{"a":"é😀\#u{7F}\#u{85}\#u{FFFF}\#u{10FFFF}"}"#,
        #"{"a":"/"}"#, #"{"\u0061":1}"#, #"{"a":{"b":1},"b":{"a":1}}"#, #"{"a":[{"k":1},{"k":1}]}"#,
    ])
    func anRFC8259ObjectIsTaken(text: String) {
        #expect(fault(text) == nil)
    }

    /// RFC 8259, section 7: of ASCII, a string holds all but the quotation mark, the backslash and U+0000 to U+001F. The
    /// scanner looks at eight bytes at a time.
    @Test(arguments: 0..<20)
    func aByteOfAStringIsFoundAtEachPlace(position: Int) {
        for byte in UInt8.min...UInt8.max {
            var text = Array(#"{"a":"abcdefghijklmnopqrst"}"#.utf8)
            text[6 + position] = byte
            let found = fault(text)
            switch byte {
            // It ends the string, or escapes the letter that follows, if there is such an escape.
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                #expect((found == nil) == (byte == UInt8(ascii: "\\") && [0, 4, 12, 16, 18].contains(position)))
            case 0..<0x20: #expect(found?.position == 6 + position && found?.kind == .unexpectedByte)
            case 0x80...: #expect(found?.position == 6 + position && found?.kind == .notUTF8)
            default: #expect(found == nil)
            }
        }
    }

    @Test(
        arguments: [
            ("", 1, 1), ("  ", 1, 3), ("[", 1, 1), ("{x", 1, 2), ("{\nx", 2, 1), ("{\n\n  x", 3, 3), ("{\r\n x", 2, 2),
            ("{\rx", 2, 1), ("{\r\rx", 3, 1), ("{\n\rx", 3, 1), ("{\r\n\r\nx", 3, 1), ("{\tx", 1, 3),
            (#"{"é世😀e\#u{301}":x"#, 1, 10), ("{\"a\":\n\"é\u{1}", 2, 3), ("{}\n\n", nil, nil), ("{}\n\nx", 3, 1),
            ("{\n\"a\":1,\n \"a\":2}", 3, 2), ("{\n \"\\u0000\":2}", 2, 2), ("\u{FEFF}{}", 1, 1),
        ] as [(String, Int?, Int?)])
    func aFaultTellsLineAndColumn(text: String, line: Int?, column: Int?) {
        let fault = fault(text)
        #expect(fault?.line == line)
        #expect(fault?.column == column)
    }

    @Test func aFaultTellsAllPlaces() throws {
        let fault = try #require(self.fault("{\n  \"a\": tru}"))
        #expect(
            String(decoding: fault.description.utf8, as: UTF8.self) == "unexpected byte at byte 12 (line 2, column 11)")
        let notUTF8 = try #require(self.fault([0x7B, 0x0A, 0x22, 0xC3, 0xA9, 0xFF, 0x22, 0x7D]))
        #expect((notUTF8.line, notUTF8.column) == (2, 3))
    }

    @Test(arguments: [
        ("", JSONFault.Kind.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[]", .notAnObject, 0),
        ("1", .notAnObject, 0), ("null", .notAnObject, 0), (#""{}""#, .notAnObject, 0), (" true", .notAnObject, 1),
        ("\u{FEFF}{}", .notAnObject, 0), ("\u{0B}{}", .notAnObject, 0), ("\u{A0}{}", .notAnObject, 0),
        ("\0{}", .notAnObject, 0),
        ("//\n{}", .notAnObject, 0), ("{}{}", .trailingBytes, 2), ("{} 1", .trailingBytes, 3),
        ("{}\0", .trailingBytes, 2),
        ("{},", .trailingBytes, 2), ("{}\u{FEFF}", .trailingBytes, 2), ("{]", .unexpectedByte, 1),
        ("{,}", .unexpectedByte, 1),
        ("{/**/}", .unexpectedByte, 1), ("{a:1}", .unexpectedByte, 1), ("{'a':1}", .unexpectedByte, 1),
        ("{1:1}", .unexpectedByte, 1),
        ("{null:1}", .unexpectedByte, 1), (#"{"a"}"#, .unexpectedByte, 4), (#"{"a" 1}"#, .unexpectedByte, 5),
        (#"{"a"=1}"#, .unexpectedByte, 4), (#"{"a"::1}"#, .unexpectedByte, 5), (#"{"a":}"#, .unexpectedByte, 5),
        (#"{"a":1,}"#, .unexpectedByte, 7), (#"{"a":1,,"b":2}"#, .unexpectedByte, 7),
        (#"{"a":1 "b":2}"#, .unexpectedByte, 7),
        (#"{"a":1;"b":2}"#, .unexpectedByte, 6), (#"{"a":[1,]}"#, .unexpectedByte, 8),
        (#"{"a":[,1]}"#, .unexpectedByte, 6),
        (#"{"a":[1 2]}"#, .unexpectedByte, 8), (#"{"a":[1}"#, .unexpectedByte, 7), (#"{"a":[1"#, .unexpectedEnd, 7),
        (#"{"a":TRUE}"#, .unexpectedByte, 5), (#"{"a":True}"#, .unexpectedByte, 5), (#"{"a":tru}"#, .unexpectedByte, 8),
        (#"{"a":truee}"#, .unexpectedByte, 9), (#"{"a":nul"#, .unexpectedEnd, 8), (#"{"a":nil}"#, .unexpectedByte, 6),
        (#"{"a":undefined}"#, .unexpectedByte, 5), (#"{"a":NaN}"#, .unexpectedByte, 5),
        (#"{"a":Infinity}"#, .unexpectedByte, 5),
        (#"{"a":-Infinity}"#, .unexpectedByte, 6), (#"{"a":+1}"#, .unexpectedByte, 5),
        (#"{"a":01}"#, .unexpectedByte, 6),
        (#"{"a":-01}"#, .unexpectedByte, 7), (#"{"a":00}"#, .unexpectedByte, 6), (#"{"a":.5}"#, .unexpectedByte, 5),
        (#"{"a":1.}"#, .unexpectedByte, 7), (#"{"a":1.e1}"#, .unexpectedByte, 7), (#"{"a":1e}"#, .unexpectedByte, 7),
        (#"{"a":1e+}"#, .unexpectedByte, 8), (#"{"a":-}"#, .unexpectedByte, 6), (#"{"a":--1}"#, .unexpectedByte, 6),
        (#"{"a":0x10}"#, .unexpectedByte, 6), (#"{"a":1_000}"#, .unexpectedByte, 6),
        (#"{"a":1.2.3}"#, .unexpectedByte, 8),
        (#"{"a":'b'}"#, .unexpectedByte, 5), (#"{"a":"b"#, .unexpectedEnd, 7), (#"{"a":"\x41"}"#, .unexpectedByte, 7),
        (#"{"a":"\'"}"#, .unexpectedByte, 7), (#"{"a":"\u12"}"#, .unexpectedByte, 10),
        (#"{"a":"\u12G4"}"#, .unexpectedByte, 10),
        (#"{"a":"\U0041"}"#, .unexpectedByte, 7), (#"{"a":"\u+041"}"#, .unexpectedByte, 8),
        ("{\"a\":\"\u{1F}\"}", .unexpectedByte, 6),
        ("{\"a\":\"\n\"}", .unexpectedByte, 6), ("{\"a\":\"\t\"}", .unexpectedByte, 6),
        ("{\"a\":\"\0\"}", .unexpectedByte, 6),
        ("{\"\0\":1}", .unexpectedByte, 2), (#"{"\u0000":1}"#, .nulInKey, 1), (#"{"a":{"b\u0000c":1}}"#, .nulInKey, 6),
        (#"{"a":1,"a":1}"#, .duplicateKey, 7), (#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
        (#"{"\/":1,"/":2}"#, .duplicateKey, 8), (#"{"":1,"":2}"#, .duplicateKey, 6),
        (#"{"a":{"b":1,"b":2}}"#, .duplicateKey, 12),
        (#"{"a":[{"b":1,"c":{},"b":2}]}"#, .duplicateKey, 20), (#"{"é":1,"\u00E9":2}"#, .duplicateKey, 8),
        (#"{"😀":1,"\ud83d\uDE00":2}"#, .duplicateKey, 10), (#"{"\ud800":1,"\uD800":2}"#, .duplicateKey, 12),
        (#"{"\n":1,"\u000a":2}"#, .duplicateKey, 8),
    ])
    func anythingElseIsRefusedWhereItBegins(text: String, kind: JSONFault.Kind, position: Int) {
        let fault = fault(text)
        #expect(fault?.kind == kind)
        #expect(fault?.position == position)
    }

    @Test func thirtyTwoLevelsAreTheMost() {
        func nested(_ levels: Int, _ open: String, _ close: String) -> String {
            #"{"k":"# + String(repeating: open, count: levels - 1) + "1"
                + String(repeating: close, count: levels - 1) + "}"
        }
        for (open, close) in [("[", "]"), (#"{"k":"#, "}"), (#"[{"k":"#, "}]")] {
            let levelsEach = open.hasPrefix("[{") ? 2 : 1
            let most = levelsEach == 2 ? 16 : 32
            // 1 + 2 n levels are odd: 31 fit, 33 do not.
            #expect(fault(nested(most, open, close)) == nil, "\(open)")
            #expect(fault(nested(most + 1, open, close))?.kind == .tooDeep, "\(open)")
            #expect(fault(nested(10_000 / open.utf8.count, open, close))?.kind == .tooDeep, "\(open)")
        }
        // Levels are those that are open at the same time.
        let flat = #"{"k":["# + String(repeating: "[],{},", count: 1000) + "[]]}"
        #expect(fault(flat) == nil)
        let deepEmpty = #"{"k":"# + String(repeating: "[", count: 31) + String(repeating: "]", count: 31) + "}"
        #expect(fault(deepEmpty) == nil)
    }

    @Test func everyTruncationIsRefused() {
        let text = Array(
            (#"{"a":[1,-2.5e+3,"é\ud83d\ude00x",{"b":null}],"😀\n":{"c":true,"d":[false,{}]},"e":"\"\\","#
                + #""conversion_value":12}"#).utf8)
        #expect(fault(text) == nil)
        for count in 0..<text.count {
            let fault = fault(Array(text[..<count]))
            let isInsideCharacter = text[count] & 0xC0 == 0x80
            #expect(fault?.kind == (isInsideCharacter ? .notUTF8 : .unexpectedEnd), "\(count)")
        }
    }

    @Test func everyByteThatDoesNotBelongIsSeen() {
        // In place of each byte every other one: taken only where the text is still an object.
        let text = Array(#"{"a":[1,true],"b":"é"}"#.utf8)
        for index in text.indices {
            var taken: [UInt8] = []
            for byte in UInt8(0)...255 where byte != text[index] {
                var changed = text
                changed[index] = byte
                if fault(changed) == nil { taken.append(byte) }
            }
            let printable = (0x20...0x7F).filter { $0 != 0x22 && $0 != 0x5C }.map { UInt8($0) }
            let expected: [UInt8] =
                switch index {
                case 2: printable.filter { $0 != text[2] && $0 != UInt8(ascii: "b") }
                case 6: Array("0".utf8) + Array("23456789".utf8)
                case 7: Array("".utf8)
                case 15: printable.filter { $0 != text[15] && $0 != UInt8(ascii: "a") }
                // The two bytes of é: other characters of two bytes.
                case 19: Array(0xC2...0xDF).filter { $0 != text[19] }
                case 20: Array(0x80...0xBF).filter { $0 != text[20] }
                default: []
                }
            #expect(taken == expected, "byte \(index)")
        }
    }

    @Test func aStringIsReadAsItsCharacters() {
        func read(_ json: String) -> String? {
            json.withBytes { text in
                JSONValue(kind: .string, text: text).string.map { String(decoding: $0.utf8, as: UTF8.self) }
            }
        }
        #expect(read(#""""#) == "")
        #expect(read(#""a\"\\\/\b\f\n\r\t""#) == "a\"\\/\u{8}\u{C}\n\r\t")
        #expect(read(#""\u0041\u00e9\u20AC\uD83D\uDE00é€😀""#) == "Aé€😀é€😀")
        #expect(read(#""\u007f\u0080\u07ff\u0800\uffff""#) == "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}")
        #expect(read(#""\ud800\udc00\udbff\udfff""#) == "\u{10000}\u{10FFFF}")
        // Unpaired surrogates become U+FFFD, one each; a NUL ends the text.
        #expect(read(#""<\ud800>""#) == "<\u{FFFD}>")
        #expect(read(#""<\udc00\ud800>""#) == "<\u{FFFD}\u{FFFD}>")
        #expect(read(#""\ud800\ud83d\ude00""#) == "\u{FFFD}😀")
        #expect(read(#""\ud83d\n""#) == "\u{FFFD}\n")
        #expect(read(#""\ud83d\u0041""#) == "\u{FFFD}A")
        #expect(read(#""cut\u0000off""#) == "cut")
    }
}
