/// Reads a checked JSON text value by value. `value()` skips the contents of arrays and objects, so a document that is
/// read with `value()` alone is scanned once for every level of nesting.
struct JSONReader {
    private let text: UnsafeRawBufferPointer
    private var position = 0

    /// Creates a reader of the contents of an array, object or string. If the value is not of the given kind, there is
    /// nothing to read.
    init(inside value: JSONValue, _ kind: JSONKind) {
        let inside = value.kind == kind && value.text.count >= 2 ? 1..<(value.text.count &- 1) : 0..<0
        text = UnsafeRawBufferPointer(rebasing: value.text[inside])
    }

    /// Reads a whole text, which must have been checked before.
    init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Reads the kind of the next value. Enters an array or object, so that its values are read next. For any other
    /// value, returns its text: a number as written, a string without its quotes.
    mutating func opening() -> (JSONKind, JSONString) {
        skipSpace()
        let kind = JSONKind(byte)
        let start = position
        switch kind {
        case .object, .array: position &+= 1
        case .string: return (kind, string() ?? .empty)
        default: skipWord()
        }
        return (kind, JSONString(raw: UnsafeRawBufferPointer(rebasing: text[start..<position]), isEscaped: false))
    }

    /// Leaves the current array or object if it ends here; returns whether it does.
    mutating func closes() -> Bool {
        skipSpace()
        guard byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") || byte == 0 else { return false }
        position = min(position &+ 1, text.count)
        return true
    }

    /// Returns nil at the end.
    mutating func value() -> JSONValue? {
        skipSpace()
        let start = position
        guard byte != 0 else { return nil }
        let kind = JSONKind(byte)
        switch kind {
        case .object, .array: skipNested()
        case .string: _ = skipString()
        default: skipWord()
        }
        return JSONValue(kind: kind, text: UnsafeRawBufferPointer(rebasing: text[start..<position]))
    }

    /// Returns nil if the next value is not a string.
    mutating func string() -> JSONString? {
        skipSpace()
        guard byte == UInt8(ascii: "\"") else { return nil }
        let start = position &+ 1
        let isEscaped = skipString()
        guard position > start else { return nil }
        return JSONString(
            raw: UnsafeRawBufferPointer(rebasing: text[start..<(position &- 1)]), isEscaped: isEscaped)
    }

    private mutating func skipNested() {
        var depth = 0
        repeat {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth &-= 1
            case UInt8(ascii: "\""):
                _ = skipString()
                continue
            default: break
            }
            position &+= 1
        } while depth > 0 && position < text.count
    }

    /// Returns whether the string has escapes.
    private mutating func skipString() -> Bool {
        var isEscaped = false
        position &+= 1
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            let isEscape = text[position] == UInt8(ascii: "\\")
            if isEscape { isEscaped = true }
            position &+= isEscape ? 2 : 1
        }
        position = min(position &+ 1, text.count)
        return isEscaped
    }

    /// Skips a number, `true`, `false` or `null`.
    private mutating func skipWord() {
        repeat { position &+= 1 } while position < text.count && !isBehindWord(text[position])
    }

    private mutating func skipSpace() {
        while position < text.count, isBetweenValues(text[position]) { position &+= 1 }
    }

    /// The next byte; 0 at the end, since no valid text has a byte 0.
    private var byte: UInt8 { position < text.count ? text[position] : 0 }
}

@inline(__always)
private func isBehindWord(_ byte: UInt8) -> Bool {
    isBetweenValues(byte) || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
}

@inline(__always)
private func isBetweenValues(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"): true
    default: false
    }
}
