internal import SKANCore
internal import SKANSystem

/// The values of a statement's parameters, in binary form. A statement with N parameters takes the first N of these
/// values. The bytes must stay valid until the statement is sent.
struct StatementParameters {
    /// $1: the key; for `loadMany` an array of keys, for listings the first key.
    let key: Bytes
    /// $2: the new version; for `remove` the expected version.
    var version: UInt64 = 0
    /// $3: the record; for `listBelow` the key before which the listing ends.
    var record = Bytes(start: nil, count: 0)
    /// $4: the expected version.
    var expected: UInt64 = 0

    /// Passes the values to `body` in libpq's form.
    @inline(__always)
    func withPointers<Result>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) { numbers in
            numbers.initializeElement(at: 0, to: version.bigEndian)
            numbers.initializeElement(at: 1, to: expected.bigEndian)
            return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: 4) { values in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: 8) { integers in
                    let number = UnsafeRawBufferPointer(numbers)
                    let given = (key, Bytes(rebasing: number[..<8]), record, Bytes(rebasing: number[8...]))
                    show(given.0, at: 0, values, integers)
                    show(given.1, at: 1, values, integers)
                    show(given.2, at: 2, values, integers)
                    show(given.3, at: 3, values, integers)
                    return body(values.baseAddress, integers.baseAddress, integers.baseAddress.map { $0 + 4 })
                }
            }
        }
    }

    @inline(__always)
    private func show(
        _ bytes: Bytes, at index: Int, _ values: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>,
        _ integers: UnsafeMutableBufferPointer<Int32>
    ) {
        // Without a pointer, libpq would send NULL.
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? StaticString("").cString
        values.initializeElement(at: index, to: start)
        integers.initializeElement(at: index, to: Int32(clamping: bytes.count))
        integers.initializeElement(at: 4 + index, to: 1)
    }
}
