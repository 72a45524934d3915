/// A currency: three ASCII letters in upper case, packed so that numeric order is alphabetical order.
package struct Currency: Equatable, Comparable, Sendable {
    /// The letters in the low 24 bits; the first letter is in the highest of these three bytes.
    package let code: UInt32

    /// Nil unless the text is exactly three ASCII letters, in upper or lower case.
    @inline(__always)
    package init?(_ text: UnsafeRawBufferPointer) {
        guard text.count == 3 else { return nil }
        var code: UInt32 = 0
        for byte in text {
            let letter = byte & 0xDF
            guard letter >= UInt8(ascii: "A"), letter <= UInt8(ascii: "Z") else { return nil }
            code = code << 8 | UInt32(letter)
        }
        self.code = code
    }

    @inline(__always)
    package init?(code: UInt32) {
        func isLetter(_ byte: UInt32) -> Bool { byte &- 0x41 < 26 }
        guard isLetter(code >> 16), isLetter(code >> 8 & 0xFF), isLetter(code & 0xFF) else { return nil }
        self.code = code
    }

    /// The caller knows that the code consists of three letters.
    init(known code: UInt32) {
        assert(Currency(code: code) != nil)
        self.code = code
    }

    package static func < (left: Currency, right: Currency) -> Bool { left.code < right.code }

    package func write(to text: inout ByteBuffer) {
        text.append(UInt8(truncatingIfNeeded: code >> 16))
        text.append(UInt8(truncatingIfNeeded: code >> 8))
        text.append(UInt8(truncatingIfNeeded: code))
    }
}
