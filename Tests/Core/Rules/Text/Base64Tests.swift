import SKANCore
import Testing

/// RFC 4648: base64 with padding, and base64url as a JWS has it, without. The postbacks of Tests/Vectors are signed, so
/// they are mostly well-formed. These tests alone judge every letter, every padding, and bits that are left over.
struct Base64Tests {
    private func encoded(_ bytes: [UInt8], _ form: Base64) -> String {
        bytes.withUnsafeBytes { String(decoding: form.encode($0), as: UTF8.self) }
    }

    private func decoded(_ text: String, _ form: Base64) -> [UInt8]? { text.withBytes { form.decode($0) } }

    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func itIsThatOfTheStandard(bytes: String, text: String) {
        let unpadded = text.filter { $0 != "=" }
        #expect(encoded([UInt8](bytes.utf8), .standard) == text)
        #expect(encoded([UInt8](bytes.utf8), .url) == unpadded)
        #expect(decoded(text, .standard) == [UInt8](bytes.utf8))
        #expect(decoded(unpadded, .url) == [UInt8](bytes.utf8))
    }

    @Test func allBytesComeBack() {
        var chance = Chance(64)
        for count in 0...80 {
            let bytes = chance.bytes(count)
            for form in [Base64.standard, .url] { #expect(decoded(encoded(bytes, form), form) == bytes) }
        }
    }

    @Test func theLastTwoLettersDiffer() {
        #expect(encoded([0xFB, 0xEF, 0xFF], .standard) == "++//")
        #expect(encoded([0xFB, 0xEF, 0xFF], .url) == "--__")
    }

    @Test func onlyItsOwnLettersAreTaken() {
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        for byte in UInt8.min...UInt8.max {
            let text = [UInt8](repeating: UInt8(ascii: "A"), count: 3) + [byte]
            let isStandard = letters.contains(byte) || "+/=".utf8.contains(byte)
            let isURL = letters.contains(byte) || "-_".utf8.contains(byte)
            #expect((text.withUnsafeBytes { Base64.standard.decode($0) } != nil) == isStandard, "\(byte)")
            #expect((text.withUnsafeBytes { Base64.url.decode($0) } != nil) == isURL, "\(byte)")
        }
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAA=A", "=", "==", "===", "====", "A===", "AA=A", "A=AA", "AAAAA===", "AA==AAAA", "AAAA\n",
        "AAA\n", " AAA", "AAAA====",
    ])
    func whatIsNotPaddedAsItShouldBeIsRefused(text: String) { #expect(decoded(text, .standard) == nil) }

    @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AA=", "AA\n", "A AA"])
    func whatNoJWSHasIsRefused(text: String) { #expect(decoded(text, .url) == nil) }

    @Test func anEmptyTextIsNoBytesWhateverStandsBeforeIt() {
        "=".withBytes { before in
            let text = UnsafeRawBufferPointer(rebasing: before[1...])
            #expect(Base64.standard.decode(text) == [])
        }
    }

    @Test func bitsThatAreLeftOverAreNotLookedAt() {
        #expect(decoded("AB==", .standard) == [0])
        #expect(decoded("AAB=", .standard) == [0, 0])
        #expect(decoded("AB", .url) == [0])
        #expect(decoded("AAB", .url) == [0, 0])
    }
}
