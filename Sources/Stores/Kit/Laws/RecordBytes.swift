internal import CSKANSystem
internal import SKANCore

/// The bytes of a record. A string literal stands for its UTF-8 bytes.
struct RecordBytes: ExpressibleByStringInterpolation, Equatable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(repeating byte: UInt8, count: Int) { bytes = [UInt8](repeating: byte, count: count) }
    init(stringLiteral text: StaticString) { bytes = Message(stringLiteral: text).utf8 }
    init(stringInterpolation text: Message.StringInterpolation) { bytes = Message(stringInterpolation: text).utf8 }

    static func == (left: RecordBytes, right: RecordBytes) -> Bool { left.holds(right.bytes) }

    func holds(_ other: [UInt8]) -> Bool {
        guard bytes.count == other.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            other.withUnsafeBufferPointer { other in
                guard let bytes = bytes.baseAddress, let start = other.baseAddress else { return true }
                return memcmp(bytes, start, other.count) == 0
            }
        }
    }

    /// The length of the prefix that these bytes and `other` have in common.
    func sameBytes(as other: [UInt8]) -> Int {
        zip(bytes, other).prefix { $0 == $1 }.count
    }
}
