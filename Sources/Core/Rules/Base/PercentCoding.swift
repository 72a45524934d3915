/// Percent-encoding of RFC 3986.
package enum PercentCoding {
    /// Decodes a text into memory with room for as many bytes as the text has, since decoded text is never longer.
    /// Returns the number of bytes written, and whether each `%` was followed by two hexadecimal digits; any other `%`
    /// is copied. `plusIsSpace`: whether `+` stands for a space, as in forms and queries.
    package static func decode(
        _ text: UnsafeRawBufferPointer, into memory: UnsafeMutableRawBufferPointer, plusIsSpace: Bool
    ) -> (count: Int, isWellFormed: Bool) {
        var count = 0
        var isWellFormed = true
        var position = 0
        while position < text.count, count < memory.count {
            var byte = text[position]
            position &+= 1
            if byte == UInt8(ascii: "%") {
                if let escaped = escapedByte(text, position) {
                    byte = escaped
                    position &+= 2
                } else {
                    isWellFormed = false
                }
            } else if byte == UInt8(ascii: "+"), plusIsSpace {
                byte = UInt8(ascii: " ")
            }
            memory[count] = byte
            count &+= 1
        }
        return (count, isWellFormed)
    }

    /// Decodes a part of a URL, in which `+` stands for itself. Returns nil if a `%` is not followed by two hexadecimal
    /// digits.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var isWellFormed = true
        let decoded = [UInt8](unsafeUninitializedCapacity: text.count) { memory, count in
            (count, isWellFormed) = decode(text, into: UnsafeMutableRawBufferPointer(memory), plusIsSpace: false)
        }
        return isWellFormed ? decoded : nil
    }

    /// Decodes the two hexadecimal digits at `position`. Returns nil if they are not digits.
    private static func escapedByte(_ text: UnsafeRawBufferPointer, _ position: Int) -> UInt8? {
        guard text.count &- position >= 2, let high = hexValue(text[position]),
            let low = hexValue(text[position &+ 1])
        else { return nil }
        return UInt8(truncatingIfNeeded: high << 4 | low)
    }
}

extension ByteBuffer {
    /// Encodes everything except RFC 3986's unreserved characters, so also `+`.
    package mutating func appendPercentEncoded(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count &* 3)
        write { end in
            var end = end
            for byte in bytes {
                if isUnreserved(byte) {
                    end.pointee = byte
                    end += 1
                } else {
                    end[0] = UInt8(ascii: "%")
                    end[1] = hexDigit(byte >> 4)
                    end[2] = hexDigit(byte & 15)
                    end += 3
                }
            }
            return end
        }
    }
}

/// Whether a byte is ALPHA, DIGIT, "-", ".", "_" or "~" (RFC 3986, section 2.3). The constants `low` and `high` have
/// one bit for each ASCII byte.
@inline(__always)
private func isUnreserved(_ byte: UInt8) -> Bool {
    let low: UInt64 = 0x03FF_6000_0000_0000
    let high: UInt64 = 0x47FF_FFFE_87FF_FFFE
    if byte < 64 { return low >> UInt64(byte) & 1 == 1 }
    return byte < 128 && high >> UInt64(byte &- 64) & 1 == 1
}
