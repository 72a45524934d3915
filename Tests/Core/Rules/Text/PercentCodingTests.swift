import SKANCore
import Testing

/// RFC 3986's percent-coding: what a part of a URL and an item of a query mean. Encoding is in QueryTests. These tests
/// alone judge parts of a URL, in which a plus is no space, and what comes of a percent sign that begins nothing.
struct PercentCodingTests {
    private func item(_ text: String, room: Int? = nil) -> (String, Bool) {
        text.withBytes { text in
            var isWellFormed = true
            let bytes = [UInt8](unsafeUninitializedCapacity: text.count) { memory, count in
                let memory = UnsafeMutableRawBufferPointer(memory)
                (count, isWellFormed) = PercentCoding.decode(
                    text, into: UnsafeMutableRawBufferPointer(rebasing: memory[..<(room ?? text.count)]),
                    plusIsSpace: true)
            }
            return (String(decoding: bytes, as: UTF8.self), isWellFormed)
        }
    }

    private func part(_ text: String) -> [UInt8]? { text.withBytes { PercentCoding.decode($0) } }

    @Test func digitsAreOfEitherCase() {
        #expect(part("%2f%2F%aB%Ab") == [0x2F, 0x2F, 0xAB, 0xAB])
    }

    @Test func plusIsASpaceOnlyInItems() {
        #expect(part("a+b%20c") == [UInt8]("a+b c".utf8))
        #expect(item("a+b%20c%2B") == ("a b c+", true))
    }

    @Test(arguments: ["%", "%4", "%%", "a%", "%4g", "%g4", "%4%", "% 41", "%+4", "%-1", "%0x"])
    func aPercentWithoutTwoDigitsIsNoPartAndStaysInAnItem(text: String) {
        #expect(part(text) == nil)
        #expect(item(text) == (text.replacing("+", with: " "), false))
    }

    @Test func theEmptyTextIsEmpty() {
        #expect(part("") == [])
        #expect(item("") == ("", true))
    }

    @Test func nothingIsWrittenBehindTheMemory() {
        #expect(item("abc", room: 2) == ("ab", true))
    }
}
