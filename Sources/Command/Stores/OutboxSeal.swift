import SKANCore
import SKANSystem

/// The last member of an outbox entry's record. It reveals damage, and records that were moved to another entry's key.
/// Its value is the first 16 hexadecimal digits of the SHA-256 of three parts: the key, a NUL, and the record up to the
/// comma before the seal.
enum OutboxSeal {
    private static var digits: Int { 16 }
    private static var start: StaticString { ",\"seal\":\"" }
    private static var end: StaticString { "\"}" }

    /// Returns the end of a record, such as ,"seal":"0123456789abcdef"}.
    static func text(of members: [UInt8], under key: [UInt8]) -> [UInt8] {
        let sealed = key + [0] + members
        var digest = ByteBuffer(capacity: 2 * SHA256.byteCount)
        sealed.withUnsafeBytes { SHA256(of: $0) }.write(to: &digest)
        return [UInt8](start.bytes) + digest.array.prefix(digits) + [UInt8](end.bytes)
    }

    /// Whether a record ends with its seal under this key.
    static func fits(_ record: Bytes, under key: Bytes) -> Bool {
        let length = start.utf8CodeUnitCount + digits + end.utf8CodeUnitCount
        guard record.count > length else { return false }
        return record.suffix(length).elementsEqual(text(of: [UInt8](record.dropLast(length)), under: [UInt8](key)))
    }
}
