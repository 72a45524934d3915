import SKANCore
import Testing

@testable import SKANStoreLaws

struct LawToolTests {
    @Test(
        arguments: [
            ([], nil), ([5], nil), ([1, 2, 3], nil), ([3, 1, 3], 3), ([7, 7], 7), ([.max, 0, .max, 0], 0),
        ] as [([UInt64], UInt64?)])
    func aVersionThatComesTwiceIsFound(numbers: [UInt64], repeated: UInt64?) {
        var versions = GivenVersions()
        versions.add(numbers)
        #expect(versions.repeated == repeated)
    }

    @Test(arguments: [1, 2, 1 << 31, 1 << 63, .max - 1, .max] as [UInt64])
    func strangeVersionsAreNeitherTheVersionNorNone(version: UInt64) {
        let strange = strangeVersions(near: version)
        #expect(strange.count == 12)
        #expect(!strange.contains(version))
        #expect(!strange.contains(0))
    }

    @Test(
        arguments: [
            ("", 0), ("x", 0), ("7", 7), ("42 by 3", 42), ("-1", 0), ("18446744073709551615", .max),
            ("18446744073709551616", 0),
        ] as [(String, UInt64)])
    func aNumberIsReadFromWhateverARecordHolds(record: String, number: UInt64) {
        #expect(Counter.number(in: Array(record.utf8)) == number)
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

    /// What is lent has other bytes once the call is over, and can be put back.
    @Test
    func aLoanIsSpoiledAndRestored() {
        let key = Key(Array("key".utf8))
        let loan = Loan(key, "record")
        loan.spoilKey()
        loan.spoilRecord()
        #expect(String(cString: loan.key) == "???")
        #expect(Array(loan.record) == Array("??????".utf8))
        loan.restore(key)
        #expect(String(cString: loan.key) == "key")
        loan.end()
    }
}
