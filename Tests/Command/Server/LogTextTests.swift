import SKANCore
import SKANSystem
import Testing

@testable import SKANCommandServer

@Suite struct LogTextTests {
    private func logged(_ bytes: [UInt8], atMost longest: Int = .max) -> String {
        func text(_ buffer: borrowing ByteBuffer) -> String { String(decoding: buffer.array, as: UTF8.self) }
        var buffer = ByteBuffer(capacity: 16)
        bytes.withUnsafeBytes { buffer.append(logged: $0, atMost: longest) }
        return text(buffer)
    }

    @Test func everyReaderReadsEveryLine() {
        #expect(logged(Array("a\"b\\c\n\u{7F}é".utf8)) == "\"a\\\"b\\\\c\\u000a\\u007fé\"")
        #expect(logged([0xFF, 0x61, 0xC3]) == "\"\\ufffda\\ufffd\"")
        #expect(logged([]) == "\"\"")
    }

    @Test func aTextIsCutBehindTheCharacterAtItsLimit() {
        #expect(logged(Array("abcdef".utf8), atMost: 3) == "\"abc\"")
        #expect(logged(Array("abéf".utf8), atMost: 3) == "\"abé\"")
    }
}
