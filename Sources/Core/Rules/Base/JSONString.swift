/// The contents of a JSON string, between the quotes. It is compared and read as the unescaped text.
package struct JSONString {
    private let raw: UnsafeRawBufferPointer
    /// Whether `raw` can contain escapes.
    private let isEscaped: Bool

    package init(raw: UnsafeRawBufferPointer, isEscaped: Bool) {
        self.raw = raw
        self.isEscaped = isEscaped
    }

    static var empty: JSONString { JSONString(raw: UnsafeRawBufferPointer(start: nil, count: 0), isEscaped: false) }

    package func isEqual(_ text: StaticString) -> Bool {
        let other = text.bytes
        return isEqual(JSONString(raw: other, isEscaped: false))
    }

    func isEqual(_ other: JSONString) -> Bool {
        if !isEscaped, !other.isEscaped {
            guard raw.count == other.raw.count else { return false }
            for index in 0..<raw.count where raw[index] != other.raw[index] { return false }
            return true
        }
        return compare(other) == 0
    }

    func isOrderedBefore(_ other: JSONString) -> Bool { compare(other) < 0 }

    private func compare(_ other: JSONString) -> Int {
        var left = JSONScalars(raw)
        var right = JSONScalars(other.raw)
        while true {
            let a = left.next()
            let b = right.next()
            if a != b { return a < b ? -1 : 1 }
            if a == JSONScalars.end { return 0 }
        }
    }

    /// The text in UTF-8, cut at a NUL, with U+FFFD for unpaired surrogates.
    package var utf8: [UInt8] { withUTF8 { [UInt8]($0.prefix { $0 != 0 }) } }

    /// Calls `body` with the whole text in UTF-8, with U+FFFD for unpaired surrogates. The bytes are valid during the
    /// call.
    package func withUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        hasEscapes ? unescaped(isExact: false).withUnsafeBytes { body($0) } : body(raw)
    }

    /// Calls `body` with the whole text in UTF-8. An unpaired surrogate is encoded as three bytes that no valid UTF-8
    /// has. The bytes are valid during the call.
    package func withExactUTF8<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        hasEscapes ? unescaped(isExact: true).withUnsafeBytes { body($0) } : body(raw)
    }

    private var hasEscapes: Bool { isEscaped && raw.contains(UInt8(ascii: "\\")) }

    private func unescaped(isExact: Bool) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var scalars = JSONScalars(raw)
        while true {
            var scalar = scalars.next()
            if scalar == JSONScalars.end { return text }
            if scalar >= 0xD800, scalar < 0xE000, !isExact { scalar = 0xFFFD }
            switch scalar {
            case 0..<0x80:
                text.append(UInt8(truncatingIfNeeded: scalar))
            case 0x80..<0x800:
                text.append(0xC0 | UInt8(truncatingIfNeeded: scalar >> 6))
                text.append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
            case 0x800..<0x10000:
                text.append(0xE0 | UInt8(truncatingIfNeeded: scalar >> 12))
                text.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F))
                text.append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
            default:
                text.append(0xF0 | UInt8(truncatingIfNeeded: scalar >> 18))
                text.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 12 & 0x3F))
                text.append(0x80 | UInt8(truncatingIfNeeded: scalar >> 6 & 0x3F))
                text.append(0x80 | UInt8(truncatingIfNeeded: scalar & 0x3F))
            }
        }
    }
}

/// Iterates over the code points of a checked JSON string. Unpaired surrogates are returned like code points.
private struct JSONScalars {
    static var end: Int32 { -1 }

    private let raw: UnsafeRawBufferPointer
    private var position = 0

    init(_ raw: UnsafeRawBufferPointer) { self.raw = raw }

    private func byte(_ index: Int) -> UInt8 { index < raw.count ? raw[index] : 0 }

    mutating func next() -> Int32 {
        guard position < raw.count else { return JSONScalars.end }
        let first = raw[position]
        if first == UInt8(ascii: "\\") { return escape() }
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var scalar = length == 1 ? Int32(first) : Int32(first & (0x7F >> UInt8(length)))
        for index in 1..<4 where index < length {
            scalar = scalar << 6 | Int32(byte(position &+ index) & 0x3F)
        }
        position &+= length
        return scalar
    }

    private mutating func escape() -> Int32 {
        let letter = byte(position &+ 1)
        guard letter == UInt8(ascii: "u") else {
            position &+= 2
            return switch letter {
            case UInt8(ascii: "b"): 0x08
            case UInt8(ascii: "f"): 0x0C
            case UInt8(ascii: "n"): 0x0A
            case UInt8(ascii: "r"): 0x0D
            case UInt8(ascii: "t"): 0x09
            default: Int32(letter)
            }
        }
        let unit = self.unit(position)
        position &+= 6
        if unit >= 0xD800, unit < 0xDC00, byte(position) == UInt8(ascii: "\\"), byte(position &+ 1) == UInt8(ascii: "u")
        {
            let low = self.unit(position)
            if low >= 0xDC00, low < 0xE000 {
                position &+= 6
                return 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
        }
        return unit
    }

    /// The code unit of an escape such as `\u00E9`, whose backslash is at `position`.
    private func unit(_ position: Int) -> Int32 {
        var unit: Int32 = 0
        for index in 2..<6 { unit = unit << 4 | Int32(hexValue(byte(position &+ index)) ?? 0) }
        return unit
    }
}

extension Message.StringInterpolation {
    /// Writes the unescaped text in quotes.
    @inline(never)
    mutating func appendInterpolation(_ string: JSONString) { string.withUTF8 { appendInterpolation(quoted: $0) } }
}
