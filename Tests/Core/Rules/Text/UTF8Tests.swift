import SKANCore
import Testing

/// Unicode, table 3-7: which sequences are well-formed. Swift's own check is the measure. Arguments and documents of
/// other tests have a sequence or two that are none. These tests alone judge each class of bytes at each place.
struct UTF8Tests {
    /// One byte of every class that the table tells apart, and its neighbours.
    private static let classes: [UInt8] = [
        0x00, 0x1F, 0x20, 0x41, 0x7E, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
        0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFB, 0xFC, 0xFE, 0xFF,
    ]

    /// The length of the character at the start, by the standard library.
    private func measured(_ bytes: [UInt8]) -> Int {
        for count in 1...4 where count <= bytes.count {
            if let text = String(validating: bytes[..<count], as: UTF8.self), text.unicodeScalars.count == 1 {
                return count
            }
        }
        return 0
    }

    @Test func aSequenceIsAsLongAsTheTableSays() {
        #expect([UInt8]().withUnsafeBytes { utf8Length($0) } == 0)
        for first in UInt8(0)...255 {
            for second in UTF8Tests.classes {
                for third: UInt8 in [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] {
                    for fourth: UInt8 in [0x7F, 0x80, 0xC0] {
                        let bytes = [first, second, third, fourth]
                        let length = bytes.withUnsafeBytes { utf8Length($0) }
                        expect(length == measured(bytes), "\(bytes.hex): \(length)")
                    }
                }
            }
        }
    }

    @Test func aSequenceThatIsCutIsNone() {
        for text in ["é", "€", "😀", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
            let bytes = Array(text.utf8)
            #expect(bytes.withUnsafeBytes { utf8Length($0) } == bytes.count)
            for count in 0..<bytes.count {
                #expect(bytes[..<count].withUnsafeBytes { utf8Length($0) } == 0, "\(text) cut to \(count)")
            }
        }
    }

    @Test func anIllFormedSequenceInAStringIsFoundWhereItStands() {
        let illFormed: [[UInt8]] = [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE2, 0x82], [0xE2, 0x41, 0x80], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x41, 0x80],
            [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
        ]
        for bytes in illFormed {
            for (before, after) in [(#"{"a":"é"#, #"x"}"#), (#"{"é"#, #"x":1}"#)] {
                let text = Array(before.utf8) + bytes + Array(after.utf8)
                let fault = text.withUnsafeBytes { text in
                    var scanner = JSONScanner(text)
                    return scanner.scan()
                }
                #expect(fault?.kind == .notUTF8, "\(bytes.hex)")
                #expect(fault?.position == before.utf8.count, "\(bytes.hex)")
            }
        }
    }

    /// Install ids and texts: UTF-8 without control bytes.
    @Test func plainTextHasNoControlBytes() {
        func isPlain(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isPlainText($0) } }

        #expect(isPlain([]))
        // Each byte at each place of texts that are read a word at a time, and byte by byte.
        for byte in UInt8(0)...255 {
            let isTaken = byte >= 0x20 && byte < 0x7F
            for count in [1, 7, 8, 9, 15, 16, 17, 31] {
                for place in 0..<count {
                    var text = Array("the quick brown fox jumps over it".utf8.prefix(count))
                    text[place] = byte
                    expect(isPlain(text) == isTaken, "byte \(byte) at \(place) of \(count)")
                }
            }
        }
        for text in ["é", "€uro", "😀", "12345678é", "1234567é", "é12345678", "abcdéfghij😀klmnopqr", "\u{80}", "\u{A0}"]
        {
            let bytes = Array(text.utf8)
            #expect(isPlain(bytes), "\(text)")
            #expect(!isPlain(bytes + [0x7F]), "\(text)")
            #expect(!isPlain([0x1F] + bytes), "\(text)")
            for index in bytes.indices where bytes[index] >= 0x80 {
                var damaged = bytes
                damaged.remove(at: index)
                #expect(!isPlain(damaged), "\(text) without byte \(index)")
            }
        }
    }
}
