import SKANCore
import Testing

@testable import SKANRedisRecords

/// How records and keys lie on the server.
struct RedisLayoutTests {
    private func written(_ write: (inout ByteBuffer) -> Void) -> [UInt8] {
        var out = ByteBuffer(capacity: 8)
        write(&out)
        return out.array
    }

    private func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

    @Test func aHeaderIsElevenBytes() {
        let header = written { RedisLayout.writeHeader(0x0102_0304_0506_0708, to: &$0) }
        #expect(header == [0x53, 0x4B, 1, 1, 2, 3, 4, 5, 6, 7, 8])
        #expect(header.count == RedisLayout.headerBytes)
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

    @Test func prefixesHaveNoBraces() throws {
        try RedisLayout.checkPrefix([])
        try RedisLayout.checkPrefix(text(String(repeating: "é", count: 32)))
        for prefix in ["{", "a}", "a\nb", "\u{7F}", String(repeating: "x", count: 65)] {
            #expect(throws: Failure.self, "\(prefix)") { try RedisLayout.checkPrefix(text(prefix)) }
        }
    }
}
