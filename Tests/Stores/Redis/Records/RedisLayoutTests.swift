import SKANCore
import Testing

@testable import SKANRedisRecords

/// How records and keys lie on the server.
struct RedisLayoutTests {
    private func read(_ value: [UInt8]) -> String {
        value.withUnsafeBytes { value in
            switch RedisLayout.read(value) {
            case .none: "none"
            case .record(let record, let version): "\(version) \(String(decoding: record, as: UTF8.self))"
            case .foreign(let words): String(decoding: words.utf8, as: UTF8.self)
            }
        }
    }

    private func written(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
        var out = ByteBuffer(capacity: 8)
        write(&out)
        return [UInt8](out.bytes)
    }

    private func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

    @Test func aHeaderIsElevenBytes() {
        let header = written { RedisLayout.writeHeader(0x0102_0304_0506_0708, to: &$0) }
        #expect(header == [0x53, 0x4B, 1, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(header.count == RedisLayout.headerBytes)
    }

    @Test(arguments: [1, 255, 1 << 32, UInt64(Int64.max)])
    func whatIsWrittenIsRead(_ version: UInt64) {
        let header = written { RedisLayout.writeHeader(version, to: &$0) }
        #expect(read(header) == "\(version) ")
        #expect(read(header + text("record")) == "\(version) record")
    }

    @Test func whatIsNoRecordIsTold() {
        let none = "what is under an install's key is no record of libskan but another program's (expected the bytes "
        #expect(read([]) == "none")
        #expect(read(text("{}")) == none + "53 4B 01 and a version, found 2 bytes, the first 7B)")
        #expect(read([0xF0]) == none + "53 4B 01 and a version, found 1 bytes, the first F0)")
        for value in [[0x53, 0x4B], [0x53, 0x4B, 1, 0, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            #expect(read(value).hasPrefix(none))
        }
        for version in [0, 1 << 63, UInt64.max] {
            #expect(read(written { RedisLayout.writeHeader(version, to: &$0) }).hasPrefix(none))
        }
        #expect(read([0x53, 0x4B, 2]).hasPrefix("a record of layout 2, of a newer libskan-redis"))
        #expect(read([0x53, 0x4B, 0x20]).hasPrefix(none))
    }

    @Test(arguments: [
        ("", "a"), ("skan:", "player-1"), ("p", "{}"), ("p", "}{"), ("", String(repeating: "k", count: 128)),
    ])
    func aKeyIsFoundAgain(_ prefix: String, _ key: String) {
        let full = text(key).withUnsafeBytes { key in written { RedisLayout.writeKey(text(prefix), key, to: &$0) } }
        #expect(full == text("\(prefix){\(key)}"))
        full.withUnsafeBytes { full in
            #expect(RedisLayout.key(in: full, text(prefix)).map { String(decoding: $0, as: UTF8.self) } == key)
            #expect(RedisLayout.key(in: full, text("other")) == nil)
        }
    }

    @Test(arguments: ["", "p", "p{", "p{}", "p{a", "pa}", "p{a}x", "q{a}", "p{a\u{1}}", "p{a\u{7F}}", "p{\n}"])
    func othersKeysAreLeftOut(_ full: String) {
        text(full).withUnsafeBytes { #expect(RedisLayout.key(in: $0, text("p")) == nil) }
        text("p{\(String(repeating: "k", count: 129))}").withUnsafeBytes {
            #expect(RedisLayout.key(in: $0, text("p")) == nil)
        }
    }

    @Test func aPatternIsTakenAsItStands() {
        #expect(RedisLayout.pattern([]) == text("{*}"))
        #expect(RedisLayout.pattern(text("l?s[t]*\\^-:")) == text("l\\?s\\[t\\]\\*\\\\\\^\\-:{*}"))
    }

    @Test func prefixesHaveNoBraces() throws {
        try RedisLayout.checkPrefix([])
        try RedisLayout.checkPrefix(text(String(repeating: "é", count: 32)))
        for prefix in ["{", "a}", "a\nb", "\u{7F}", String(repeating: "x", count: 65)] {
            #expect(throws: Failure.self, "\(prefix)") { try RedisLayout.checkPrefix(text(prefix)) }
        }
    }
}
