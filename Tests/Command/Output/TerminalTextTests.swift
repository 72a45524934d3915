import SKANCommandOutput
import SKANCore
import Testing

struct TerminalTextTests {
    private func escaped(_ text: [UInt8]) -> String {
        String(decoding: text.withUnsafeBytes { escapedForTerminal($0) }.utf8, as: UTF8.self)
    }

    @Test(arguments: [
        ("plain", "plain"),
        ("é – 日本 😀", "é – 日本 😀"),
        ("a\u{1B}[31m\r\u{7}", "a\\x1B[31m\\x0D\\x07"),
        ("\u{9B}\u{202E}b\u{2069}", "\\xC2\\x9B\\xE2\\x80\\xAEb\\xE2\\x81\\xA9"),
        ("\u{61C}\u{200F}\u{2028}", "\\xD8\\x9C\\xE2\\x80\\x8F\\xE2\\x80\\xA8"),
    ])
    func whatATerminalMightObeyIsEscaped(_ text: String, _ expected: String) {
        #expect(escaped(Array(text.utf8)) == expected)
    }

    @Test func bytesThatAreNoUTF8AreEscapedOneByOne() {
        #expect(escaped([0x61, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0xF0, 0x9F]) == "a\\xC3(\\xED\\xA0\\x80\\xF0\\x9F")
    }

    @Test(arguments: [("é", 0xE9, 2), ("日", 0x65E5, 3), ("😀", 0x1F600, 4), ("a", 0x61, 1)] as [(String, UInt32, Int)])
    func aScalarHasItsLength(_ text: String, _ scalar: UInt32, _ length: Int) {
        let found = Array(text.utf8).withUnsafeBytes { nextScalar($0, at: 0) }
        #expect(found?.scalar == scalar && found?.length == length)
    }
}
