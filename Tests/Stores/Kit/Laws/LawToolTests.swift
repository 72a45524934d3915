import SKANCore
import Testing

@testable import SKANStoreLaws

struct LawToolTests {
    @Test(arguments: [1, 2, 1 << 31, 1 << 63, .max - 1, .max] as [UInt64])
    func strangeVersionsAreNeitherTheVersionNorNone(version: UInt64) {
        let strange = strangeVersions(near: version)
        #expect(strange.count == 12)
        #expect(!strange.contains(version))
        #expect(!strange.contains(0))
    }

    @Test
    func keysAreShownAsTextThatATerminalTakes() {
        #expect(
            Key([0x61, 0x22, 0x5C, 0x1B, 0x20, 0x7E, 0x7F, 0xC3]).shown.utf8
                == Array(#""a\x22\x5C\x1B ~\x7F\xC3""#.utf8))
    }

    @Test
    func recordsTellWhereTheyDiffer() {
        let record: RecordBytes = "abc"
        #expect(record.holds(Array("abc".utf8)))
        for other in ["", "ab", "abd", "abcd"] { #expect(!record.holds(Array(other.utf8)), "\(other)") }
        #expect(record.sameBytes(as: Array("abd".utf8)) == 2)
        #expect(RecordBytes("").holds([]))
    }
}
