import SKANCore
import Testing

/// What a checked JSON text holds, value by value. Documents of other tests have the shape of a model or of details.
/// These alone read any shape: brackets and quotes in strings, the deepest nesting, and a value of another kind.
struct JSONValueTests {
    /// A value written again from what was read, without spaces, strings as their bytes in hexadecimal.
    private func shown(_ value: JSONValue) -> String {
        switch value.kind {
        case .object:
            return "{" + value.members.map { shown($0) }.joined(separator: ",") + "}"
        case .array: return "[" + value.elements.map { shown($0) }.joined(separator: ",") + "]"
        case .string: return value.string.map { hex($0) } ?? "none"
        default: return String(decoding: value.text, as: UTF8.self)
        }
    }

    private func shown(_ member: JSONMember) -> String { hex(member.key) + ":" + shown(member.value) }

    private func hex(_ string: JSONString) -> String {
        string.withUTF8 { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    private func read(_ text: String) throws -> String {
        try text.withBytes { "{" + (try JSONDocument($0).members.map { shown($0) }.joined(separator: ",")) + "}" }
    }

    @Test(arguments: [
        ("{}", "{}"), (" { } ", "{}"), (#"{"a":1}"#, "{61:1}"), (#" { "a" : 1 , "b" : [ ] } "#, "{61:1,62:[]}"),
        (#"{"":{"":{"":[[],[{}],[[[]]]]}}}"#, "{:{:{:[[],[{}],[[[]]]]}}}"),
        (#"{"a":[1,-2.50,3e+7,true,false,null,"x"]}"#, "{61:[1,-2.50,3e+7,true,false,null,78]}"),
        ("{\"a\"\t:\r\n[\n1\n,\n2\n]\n}", "{61:[1,2]}"),
        (#"{"{\"}[":"]}\\","a":"\""}"#, "{7b227d5b:5d7d5c,61:22}"),
        (#"{"\\":"\\\\","b":"\\\""}"#, "{5c:5c5c,62:5c22}"),
        (#"{"a":"x\u0000y","b":"\ud800","c":"\ud83d\ude00é"}"#, "{61:780079,62:efbfbd,63:f09f9880c3a9}"),
        (#"{"a":12345678901234567890123,"b":-0,"c":1E400}"#, "{61:12345678901234567890123,62:-0,63:1E400}"),
    ])
    func everythingIsReadAsItStands(text: String, expected: String) throws {
        #expect(try read(text) == expected)
    }

    @Test func theDeepestIsRead() throws {
        let text = String(repeating: #"{"a":["#, count: 16) + String(repeating: "]}", count: 16)
        #expect(try read(text) == text.replacing("\"a\"", with: "61"))
    }

    @Test func aMemberIsFoundByWhatItsNameMeans() throws {
        try #"{"b":1,"\u0061":2,"c":null,"o":{"a":3}}"#.withBytes { text in
            let root = try JSONDocument(text)
            func found(_ value: JSONValue?) -> String {
                value.map { String(decoding: $0.text, as: UTF8.self) } ?? "none"
            }
            #expect(found(root.value("a")) == "2")
            #expect(found(root.value("b")) == "1")
            #expect(found(root.value("c")) == "null")
            #expect(found(root.value("d")) == "none")
            #expect(found(root.value("o")?.members.map(\.value).first) == "3")
        }
    }

    @Test func otherValuesHoldNothing() throws {
        try #"{"a":[1],"o":{"b":2},"s":"{1}","n":12,"t":true}"#.withBytes { text in
            for member in try JSONDocument(text).members {
                let kind = member.value.kind
                #expect(Array(member.value.members).isEmpty == (kind != .object))
                #expect(Array(member.value.elements).isEmpty == (kind != .array))
                #expect((member.value.string != nil) == (kind == .string))
            }
        }
    }

    /// Nobody reads what was not checked; it must not be out of bounds all the same.
    @Test func whatWasNotCheckedEndsSomewhere() {
        var chance = Chance(7)
        let bytes = Array(#"{}[]",:\u0123 tfn-1.5"#.utf8) + [0, 0xFF]
        for _ in 0..<5000 {
            let text = (0..<chance.number(0...12)).map { _ in bytes[chance.number(0...bytes.count - 1)] }
            text.withUnsafeBytes { text in
                for kind in [JSONKind.object, .array, .string] {
                    let value = JSONValue(kind: kind, text: text)
                    let count = value.members.map { shown($0) }.count + value.elements.map { shown($0) }.count
                    expect(count <= 4 * text.count, "\(Array(text))")
                }
            }
        }
    }
}
