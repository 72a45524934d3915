/// SHA-256 (FIPS 180-4), for texts of up to a few kilobytes, such as a conversion model's document. With it, libskan.so
/// needs no cryptographic library.
package struct SHA256: Equatable, Sendable {
    /// The digest in big-endian words: the digest's first byte is the highest byte of the first word.
    package private(set) var words: InlineArray<8, UInt32>

    package static var byteCount: Int { 32 }

    package init(words: InlineArray<8, UInt32>) { self.words = words }

    package init(of bytes: UnsafeRawBufferPointer) {
        words = [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]
        var position = 0
        while bytes.count &- position >= 64 {
            add(UnsafeRawBufferPointer(rebasing: bytes[position..<(position &+ 64)]))
            position &+= 64
        }
        // The end of the text: the remaining bytes, a 1 bit, zeros, and the length in bits as 64 bits at the end of a
        // block.
        var end = [UInt8](bytes[position...])
        end.append(0x80)
        while end.count & 63 != 56 { end.append(0) }
        let length = UInt64(truncatingIfNeeded: bytes.count) &* 8
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            end.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        end.withUnsafeBytes { end in
            for start in stride(from: 0, to: end.count, by: 64) {
                add(UnsafeRawBufferPointer(rebasing: end[start..<(start &+ 64)]))
            }
        }
    }

    /// `block`: 64 bytes.
    private mutating func add(_ block: UnsafeRawBufferPointer) {
        var schedule = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let near = schedule[index &- 15]
            let far = schedule[index &- 2]
            let low = turned(near, 7) ^ turned(near, 18) ^ near >> 3
            let high = turned(far, 17) ^ turned(far, 19) ^ far >> 10
            schedule[index] = schedule[index &- 16] &+ low &+ schedule[index &- 7] &+ high
        }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let first =
                h &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[index] &+ schedule[index]
            let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
        words[4] &+= e
        words[5] &+= f
        words[6] &+= g
        words[7] &+= h
    }

    @inline(__always)
    package static func == (left: SHA256, right: SHA256) -> Bool {
        for index in left.words.indices where left.words[index] != right.words[index] { return false }
        return true
    }

    /// Writes the digest as 64 lower-case hexadecimal digits.
    package func write(to text: inout ByteBuffer) {
        for index in words.indices {
            for shift in stride(from: UInt32(28), through: 0, by: -4) {
                let digit = hexDigit(UInt8(truncatingIfNeeded: words[index] >> shift & 15))
                text.append(digit < UInt8(ascii: "A") ? digit : digit | 0x20)
            }
        }
    }
}

/// Rotates a word to the right.
@inline(__always)
private func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word &>> bits | word &<< (32 &- bits) }

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
private let constants: InlineArray<64, UInt32> = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
    0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
    0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
    0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
    0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
]
