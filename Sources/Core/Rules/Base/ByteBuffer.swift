/// A buffer for writing bytes. It grows by doubling, owns its memory and is never copied.
@frozen
public struct ByteBuffer: ~Copyable {
    public private(set) var base: UnsafeMutablePointer<UInt8>
    public private(set) var count: Int
    @usableFromInline var capacity: Int

    package init(capacity: Int) {
        base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        count = 0
        self.capacity = capacity
    }

    @inlinable
    deinit {
        if capacity > 0 { base.deallocate() }
    }

    /// Calls `body` with the bytes, which are valid during the call only. The compiler may destroy a buffer after its
    /// last use, so a pointer that outlived the call could point to freed memory.
    @inline(__always)
    package func withBytes<Result: ~Copyable, Problem: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        defer { extendLifetime(self) }
        return try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Returns the bytes in a range without copying them. They are valid until the buffer changes or is destroyed, so
    /// use this only for a buffer that an object owns. For one in a local variable, use `withBytes`.
    package func lent(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(start: base, count: count)[range])
    }

    package var array: [UInt8] { withBytes { [UInt8]($0) } }

    package mutating func removeAll() { count = 0 }

    /// Reserves room for `more` bytes at the end.
    @inline(__always)
    package mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let capacity = max(capacity &* 2, count &+ more)
        let base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        base.update(from: self.base, count: count)
        if self.capacity > 0 { self.base.deallocate() }
        self.base = base
        self.capacity = capacity
    }

    /// Calls `body` with a pointer to the end of the bytes. `body` may write into the reserved room from there on, and
    /// returns the new end.
    @inline(__always)
    mutating func write(_ body: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>) {
        count = body(base + count) - base
        assert(count <= capacity)
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count &+= 1
    }

    @inline(__always)
    package mutating func append(_ text: StaticString) {
        append(text.bytes)
    }

    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(base + count).copyMemory(from: start, byteCount: bytes.count)
        count &+= bytes.count
    }

    @inline(__always)
    package mutating func append(_ other: borrowing ByteBuffer) {
        other.withBytes { append($0) }
    }

    package mutating func append(decimal value: UInt64) {
        append(decimal: value, digits: decimalDigits(value))
    }

    package mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: value.magnitude)
    }

    /// Appends the last `digits` decimal digits of a number, with leading zeros.
    package mutating func append(decimal value: UInt64, digits: Int) {
        reserve(digits)
        var value = value
        var position = count &+ digits
        while position &- count >= 2 {
            let (rest, pair) = value.quotientAndRemainder(dividingBy: 100)
            position &-= 2
            base[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair / 10)
            base[position &+ 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: pair % 10)
            value = rest
        }
        if position > count { base[count] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10) }
        count &+= digits
    }

    /// Returns the text, followed by a NUL, in memory from malloc, which the caller owns. The count excludes the NUL.
    package consuming func text() -> (start: UnsafeMutablePointer<CChar>, count: Int) {
        append(0)
        let count = count &- 1
        return (UnsafeMutableRawPointer(take()).assumingMemoryBound(to: CChar.self), count)
    }

    /// Returns the memory to the caller, who deallocates it. The buffer cannot be used afterwards.
    package mutating func take() -> UnsafeMutablePointer<UInt8> {
        capacity = 0
        count = 0
        return base
    }
}

@inline(__always)
private func decimalDigits(_ value: UInt64) -> Int {
    var digits = 1
    var rest = value
    while rest >= 100 {
        rest /= 100
        digits &+= 2
    }
    return rest >= 10 ? digits &+ 1 : digits
}
