/// Writes JSON without spaces. Adds commas and escapes by itself; the caller must match brackets and keys.
package struct JSONWriter: ~Copyable {
    package private(set) var text: ByteBuffer
    /// Whether the next value needs a comma before it.
    private var isBehindValue = false

    package init(capacity: Int) { text = ByteBuffer(capacity: capacity) }

    package consuming func finish() -> ByteBuffer { text }

    // MARK: Objects and arrays

    package mutating func beginObject() { begin(UInt8(ascii: "{")) }
    package mutating func endObject() { end(UInt8(ascii: "}")) }
    package mutating func beginArray() { begin(UInt8(ascii: "[")) }
    package mutating func endArray() { end(UInt8(ascii: "]")) }

    package mutating func key(_ name: StaticString) { key(utf8: name.bytes) }

    @inline(never)
    package mutating func key(utf8 name: UnsafeRawBufferPointer) {
        string(utf8: name)
        endKey()
    }

    /// `body` appends the key's letters, which must need no escaping.
    @inline(__always)
    package mutating func key(letters body: (inout ByteBuffer) -> Void) {
        string(letters: body)
        endKey()
    }

    @inline(__always)
    private mutating func endKey() {
        text.append(UInt8(ascii: ":"))
        isBehindValue = false
    }

    @inline(never)
    private mutating func begin(_ bracket: UInt8) {
        separate()
        text.append(bracket)
        isBehindValue = false
    }

    @inline(never)
    private mutating func end(_ bracket: UInt8) {
        text.append(bracket)
        isBehindValue = true
    }

    @inline(__always)
    private mutating func separate() {
        if isBehindValue { text.append(UInt8(ascii: ",")) }
        isBehindValue = true
    }

    // MARK: Members

    /// Writes null if there is no number.
    package mutating func member(_ name: StaticString, _ number: Int64?) {
        key(name)
        integer(number)
    }

    package mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes null if there is no text. The text is UTF-8.
    package mutating func member(_ name: StaticString, text: [UInt8]?) {
        key(name)
        if let text { text.withUnsafeBytes { string(utf8: $0) } } else { null() }
    }

    // MARK: Values

    @inline(never)
    package mutating func null() {
        separate()
        text.append("null")
    }

    @inline(never)
    package mutating func bool(_ value: Bool) {
        separate()
        text.append(value ? "true" : "false")
    }

    /// Writes null if there is no number.
    @inline(never)
    package mutating func integer(_ value: Int64?) {
        guard let value else { return null() }
        separate()
        text.append(decimal: value)
    }

    package mutating func string(_ value: StaticString) { string(utf8: value.bytes) }

    /// Escapes quotes, backslashes and control bytes.
    @inline(never)
    package mutating func string(utf8 value: UnsafeRawBufferPointer) {
        separate()
        text.append(UInt8(ascii: "\""))
        for byte in value {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                text.append(UInt8(ascii: "\\"))
                text.append(byte)
            case 0..<0x20:
                text.append("\\u00")
                text.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
                text.append(hexDigit(byte & 15) | 0x20)
            default:
                text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// `body` appends the string's letters, which must need no escaping.
    @inline(__always)
    package mutating func string(letters body: (inout ByteBuffer) -> Void) {
        separate()
        text.append(UInt8(ascii: "\""))
        body(&text)
        text.append(UInt8(ascii: "\""))
    }

    /// The value is already JSON, so it is not escaped.
    @inline(never)
    package mutating func json(utf8 value: UnsafeRawBufferPointer) {
        separate()
        text.append(value)
    }

    @inline(__always)
    package mutating func json(_ body: (inout ByteBuffer) -> Void) {
        separate()
        body(&text)
    }
}
