internal import SKANCore
internal import SKANSystem

/// Commands in the server's format: "*" and the number of parts on one line, then for each part "$" and its length on
/// one line, and the part itself on the next.
struct RedisCommands: ~Copyable {
    private var buffer: ByteBuffer

    init(capacity: Int) { buffer = ByteBuffer(capacity: capacity) }

    /// The number of bytes of the commands so far.
    var count: Int { buffer.count }
    @inline(__always)
    func withText<Result>(_ body: (Bytes) -> Result) -> Result { buffer.withBytes { body($0) } }
    mutating func removeAll() { buffer.removeAll() }

    /// Begins a command. This number of parts must follow.
    mutating func begin(_ parts: Int) { writeLine("*", parts) }

    mutating func add(_ part: StaticString) {
        writeLine("$", part.utf8CodeUnitCount)
        buffer.append(part)
        buffer.append("\r\n")
    }

    mutating func add(_ part: Bytes) { add(bytes: part.count) { $0.append(part) } }
    mutating func add(_ part: [UInt8]) { part.withUnsafeBytes { add($0) } }

    mutating func add(_ number: UInt64) {
        var digits = ByteBuffer(capacity: 20)
        digits.append(decimal: number)
        digits.withBytes { add($0) }
    }

    /// Adds a part of `count` bytes, which `write` appends.
    @inline(__always)
    mutating func add(bytes count: Int, _ write: (inout ByteBuffer) -> Void) {
        writeLine("$", count)
        write(&buffer)
        buffer.append("\r\n")
    }

    private mutating func writeLine(_ kind: StaticString, _ number: Int) {
        buffer.append(kind)
        buffer.append(decimal: Int64(number))
        buffer.append("\r\n")
    }
}
