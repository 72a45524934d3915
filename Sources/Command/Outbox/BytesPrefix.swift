internal import SKANCore
internal import SKANSystem

extension Bytes {
    /// nil where they do not begin so.
    func behind(_ prefix: StaticString) -> Slice<Bytes>? {
        starts(with: prefix.bytes) ? dropFirst(prefix.utf8CodeUnitCount) : nil
    }
}

extension [UInt8] {
    /// Shows them to what may throw.
    @inline(__always)
    func withBytes<Result, Problem: Error>(
        _ body: (Bytes) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        try withUnsafeBufferPointer { (bytes) throws(Problem) in try body(Bytes(bytes)) }
    }
}
