import SKANCore
import Testing

/// Rules, "JSON": no duplicate keys at any depth, after unescaping. Vectors have a double among two keys. These tests
/// alone judge doubles among many keys, at each place, in each spelling, and keys that only look alike.
struct JSONKeyTests {
    private func fault(_ keys: [String], inside: (String, String) = ("", "")) -> JSONFault.Kind? {
        let object = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        return (inside.0 + object + inside.1).withBytes { text in
            var scanner = JSONScanner(text)
            return scanner.scan()?.kind
        }
    }

    /// The spellings of one key.
    private static func spellings(_ number: Int) -> [String] {
        let plain = "k\(number)"
        let escaped = String(plain.dropLast()) + "\\u00" + String(plain.utf8.last ?? 0, radix: 16)
        return [plain, escaped, "\\u006B" + plain.dropFirst()]
    }

    @Test(arguments: [2, 3, 15, 16, 17, 18, 31, 32, 33, 64, 1000, 10_000])
    func oneDoubleAmongManyKeysIsFound(count: Int) {
        var chance = Chance(UInt64(count))
        let keys = (0..<count).map { JSONKeyTests.spellings($0)[0] }
        #expect(fault(keys) == nil)
        #expect(fault(keys.shuffled(using: &chance)) == nil)
        // Every pair of places where there are few, some of them where there are many.
        let pairs: [(Int, Int)] =
            count <= 18
            ? (0..<count).flatMap { first in (0..<count).filter { $0 != first }.map { (first, $0) } }
            : [(0, count - 1), (count - 1, 0), (15, 16), (count / 2 + 1, 15)]
        for (original, double) in pairs {
            for spelling in JSONKeyTests.spellings(original) {
                var keys = keys
                keys[double] = spelling
                expect(fault(keys) == .duplicateKey, "\(spelling) at \(double) of \(count)")
            }
        }
    }

    @Test func everyObjectHasKeysOfItsOwn() {
        let many = (0..<40).map { "k\($0)" }
        #expect(fault(many, inside: (#"{"k0":{"k0":"#, #"},"k1":0}"#)) == nil)
        #expect(fault(many + ["k0"], inside: (#"{"a":{"b":["#, #"]}}"#)) == .duplicateKey)
        // An object between two members must not make the first one forgotten.
        #expect(fault(["k0"], inside: (#"{"k0":0,"a":"#, #","k0":0}"#)) == .duplicateKey)
        #expect(fault(many, inside: (#"{"k0":0,"a":"#, #","k0":0}"#)) == .duplicateKey)
        #expect(fault([], inside: (#"{"k0":0,"a":"#, #","k0":0}"#)) == .duplicateKey)
    }

    @Test func keysThatOnlyLookAlikeAreTwo() {
        #expect(fault(["a", "A", "a ", " a", "", "aa", "á", "a\u{301}", "\\u0430"]) == nil)
        #expect(fault(["\\\\u0061", "a"]) == nil)
        #expect(fault(["\\ud83d", "\\ude00", "\\ud83d\\ude00"]) == nil)
        #expect(fault(["\\ud800", "\\ufffd"]) == nil)
        // As prefixes of one another, in both paths.
        #expect(fault((0..<40).map { String(repeating: "x", count: $0) }) == nil)
    }

    @Test func whereDoublesAreAllowedEveryMemberIsShown() throws {
        try #"{"a":1,"b":{"c":1,"c":2},"\u0061":3}"#.withBytes { text in
            let members = try JSONDocument(text, allowsDuplicates: true).members
            #expect(members.map { [UInt8]($0.value.text) } == ["1", #"{"c":1,"c":2}"#, "3"].map { Array($0.utf8) })
            #expect(members.filter { $0.key.isEqual("a") }.count == 2)
            #expect(throws: JSONFault.self) { try JSONDocument(text) }
        }
    }

    /// A key is compared with at most 15 before it, so that no document takes long: behind these a double is found when
    /// its object ends, among sorted keys. The place of the fault tells which it was.
    @Test(arguments: [2, 3, 15, 16, 17, 18, 33, 1000])
    func aKeyIsComparedWithFewBeforeIt(count: Int) throws {
        // Beginnings that are long and equal.
        let keys = (0..<count - 1).map { String(repeating: "\\u0061", count: 8) + "\($0)" }
        for double in [keys[0], keys[keys.count / 2], keys[keys.count - 1]] {
            let before = "{" + keys.map { "\"\($0)\":0," }.joined()
            let text = before + "\"\(double)\":0}"
            let fault = try #require(
                text.withBytes { text in
                    var scanner = JSONScanner(text)
                    return scanner.scan()
                })
            #expect(fault.kind == .duplicateKey)
            #expect(fault.position == (count <= 16 ? before : String(text.dropLast())).utf8.count)
        }
    }
}
