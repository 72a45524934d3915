/// The text of an error in UTF-8, written as an interpolated literal. It does not use String, which would add Unicode
/// tables to the small library, and more code wherever a message is built.
package struct Message: ExpressibleByStringInterpolation, Sendable {
    package let utf8: [UInt8]

    /// If a text is longer, a message that cuts it says "more than" this number instead of the exact length in bytes.
    package static var countedBytes: Int { Limits.requestBytes }

    package init(utf8: [UInt8]) { self.utf8 = utf8 }

    package init(writing write: (inout ByteBuffer) -> Void) {
        var text = ByteBuffer(capacity: 64)
        write(&text)
        utf8 = text.array
    }

    @inline(never)
    package init(stringLiteral text: StaticString) { utf8 = [UInt8](text.bytes) }

    package init(stringInterpolation text: StringInterpolation) { utf8 = text.utf8 }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var utf8: [UInt8] = []

        @inline(never)
        package init(literalCapacity: Int, interpolationCount: Int) {
            utf8.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        @inline(never)
        package mutating func appendLiteral(_ text: StaticString) {
            utf8.append(contentsOf: text.bytes)
        }

        @inline(never)
        package mutating func appendInterpolation(_ text: StaticString) { appendLiteral(text) }

        @inline(never)
        package mutating func appendInterpolation(_ message: Message) { utf8.append(contentsOf: message.utf8) }

        @inline(never)
        package mutating func appendInterpolation(_ number: UInt64) {
            var digits = ByteBuffer(capacity: 20)
            digits.append(decimal: number)
            digits.withBytes { utf8.append(contentsOf: $0) }
        }

        @inline(never)
        package mutating func appendInterpolation(_ number: Int64) {
            if number < 0 { utf8.append(UInt8(ascii: "-")) }
            appendInterpolation(number.magnitude)
        }

        package mutating func appendInterpolation(_ number: Int) { appendInterpolation(Int64(number)) }
        package mutating func appendInterpolation(_ number: UInt) { appendInterpolation(UInt64(number)) }
        package mutating func appendInterpolation(_ number: Int32) { appendInterpolation(Int64(number)) }
        package mutating func appendInterpolation(_ number: UInt32) { appendInterpolation(UInt64(number)) }
        package mutating func appendInterpolation(_ number: UInt8) { appendInterpolation(UInt64(number)) }

        /// Appends the number's shortest decimal form, "inf" or "nan".
        @inline(never)
        package mutating func appendInterpolation(_ number: Double) {
            withNumberText(number) { utf8.append(contentsOf: $0) }
        }

        /// Appends a text in quotes, cut after 48 bytes. Printable ASCII stays as it is, but for a backslash before
        /// each quote and backslash; every other byte becomes \xNN.
        @inline(never)
        package mutating func appendInterpolation(quoted bytes: UnsafeRawBufferPointer) {
            utf8.append(UInt8(ascii: "\""))
            for byte in bytes.prefix(48) {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                    utf8.append(UInt8(ascii: "\\"))
                    utf8.append(byte)
                case 0x20...0x7E:
                    utf8.append(byte)
                default:
                    appendLiteral("\\x")
                    utf8.append(hexDigit(byte >> 4))
                    utf8.append(hexDigit(byte & 15))
                }
            }
            utf8.append(UInt8(ascii: "\""))
            guard bytes.count > 48 else { return }
            appendLiteral(bytes.count > Message.countedBytes ? "... (more than " : "... (")
            appendInterpolation(min(bytes.count, Message.countedBytes))
            appendLiteral(" bytes)")
        }
    }
}

/// The upper-case hexadecimal digit for 0...15.
@inline(__always)
package func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "A") &+ (value &- 10)
}

extension StaticString {
    /// UTF-8, valid for ever.
    @inline(__always)
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
