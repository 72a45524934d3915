/// Base64 as RFC 4648 defines it: only the letters of its alphabet, no line breaks.
package enum Base64 {
    /// The alphabet with `+` and `/`, padded, as in keys and attribution-signature.
    case standard
    /// The alphabet with `-` and `_`, without padding, as in a JWS.
    case url

    package func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let letters = self.letters.bytes
        return [UInt8](unsafeUninitializedCapacity: (bytes.count &+ 2) / 3 &* 4) { text, count in
            var start = 0
            while start < bytes.count {
                let left = min(bytes.count &- start, 3)
                var group = UInt32(bytes[start]) << 16
                if left > 1 { group |= UInt32(bytes[start &+ 1]) << 8 }
                if left > 2 { group |= UInt32(bytes[start &+ 2]) }
                for index in 0...left { text[count &+ index] = letters[Int(group >> UInt32(18 &- 6 &* index) & 63)] }
                count &+= left &+ 1
                start &+= 3
            }
            while self == .standard, count & 3 != 0 {
                text[count] = UInt8(ascii: "=")
                count &+= 1
            }
        }
    }

    private var letters: StaticString {
        self == .standard
            ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    }

    /// Returns nil if the text is not valid Base64 of this kind. Unused bits of the last letter are ignored.
    package func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var end = text.count
        if self == .standard {
            guard end & 3 == 0 else { return nil }
            for _ in 0..<2 where end > 0 && text[end &- 1] == UInt8(ascii: "=") { end &-= 1 }
        }
        guard end & 3 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity((end / 4 &+ 1) &* 3)
        var bits: UInt32 = 0
        for index in 0..<end {
            guard let next = value(text[index]) else { return nil }
            bits = bits << 6 | next
            let place = UInt32(index & 3)
            if place > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> (6 &- place &* 2))) }
        }
        return bytes
    }

    /// The 6 bits that a letter stands for; nil for other bytes.
    private func value(_ letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter &- UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter &- UInt8(ascii: "a")) &+ 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter &- UInt8(ascii: "0")) &+ 52
        case letter62: 62
        case letter63: 63
        default: nil
        }
    }

    private var letter62: UInt8 { self == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-") }
    private var letter63: UInt8 { self == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_") }
}
