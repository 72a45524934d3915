package import SKANCore

/// A struct of C's that begins with its size, as the caller knows it. It may end before its optional members. One of a
/// newer caller is taken if its unknown tail is zero.
package struct SizedStruct<Value> {
    private let name: StaticString
    private let zero: Value
    private let first: Int

    private var known: Int { MemoryLayout<Value>.stride }

    /// `zero` is all zero, as structs of C are in Swift where nothing is set. `optional` is the size of the members at
    /// its end that may be missing.
    @inline(__always)
    package init(_ name: StaticString, _ zero: Value, optional bytes: Int = 0) {
        self.name = name
        self.zero = zero
        first = MemoryLayout<Value>.stride &- bytes
    }

    /// What a caller gives; NULL is all zero.
    package func read(_ given: UnsafePointer<Value>?) throws(Failure) -> Value {
        guard let given else { return zero }
        let size = try checkSize(at: given)
        guard size < known else { return given.pointee }
        var value = zero
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: given, count: size))
        }
        return value
    }

    /// The size that a struct says it has.
    @discardableResult
    package func checkSize(at given: UnsafeRawPointer) throws(Failure) -> Int {
        try checkedSize(given, from: first, known: known, name)
    }

    /// The size that an out struct says it has. Its other bytes are not read, because the function writes them.
    package func checkOutSize(at out: UnsafeRawPointer) throws(Failure) -> Int {
        try legalSize(out, from: first, known: known, name)
    }

    /// Makes an out struct all zero but its size.
    package func clear(_ out: UnsafeMutablePointer<Value>) throws(Failure) {
        let size = try checkOutSize(at: out)
        let rest = UnsafeMutableRawPointer(out) + MemoryLayout<Int>.size
        rest.initializeMemory(as: UInt8.self, repeating: 0, count: size &- MemoryLayout<Int>.size)
    }

    /// Gives as much of it as the caller knows, into what was cleared; `size` is kept.
    package func give(_ value: Value, to out: UnsafeMutablePointer<Value>) {
        let size = min(UnsafeRawPointer(out).load(as: Int.self), known)
        withUnsafeBytes(of: value) { bytes in
            guard let base = bytes.baseAddress, size > MemoryLayout<Int>.size else { return }
            (UnsafeMutableRawPointer(out) + MemoryLayout<Int>.size).copyMemory(
                from: base + MemoryLayout<Int>.size, byteCount: size &- MemoryLayout<Int>.size)
        }
    }
}

@inline(never)
private func checkedSize(
    _ given: UnsafeRawPointer, from first: Int, known: Int, _ name: StaticString
) throws(Failure) -> Int {
    let size = try legalSize(given, from: first, known: known, name)
    guard size > known else { return size }
    for offset in known..<size where given.load(fromByteOffset: offset, as: UInt8.self) != 0 {
        throw Failure(
            .invalidArgument,
            "\(name): expected zeros after the \(known) bytes that this libskan knows, but byte \(offset) is not zero")
    }
    return size
}

@inline(never)
private func legalSize(
    _ given: UnsafeRawPointer, from first: Int, known: Int, _ name: StaticString
) throws(Failure) -> Int {
    let size = given.load(as: Int.self)
    guard size >= first, size <= 1024 else { throw illegalSize(size, first, known, name) }
    // Optional members fill whole words.
    guard size >= known || size % MemoryLayout<Int>.size == 0 else { throw illegalSize(size, first, known, name) }
    return size
}

/// Checks that structs of this size may follow each other.
package func checkStride(_ name: StaticString, _ size: Int) throws(Failure) {
    guard size % MemoryLayout<Int>.alignment == 0 else {
        throw Failure(.invalidArgument, "\(name): expected a multiple of \(MemoryLayout<Int>.alignment), got \(size)")
    }
}

private func illegalSize(_ size: Int, _ first: Int, _ known: Int, _ name: StaticString) -> Failure {
    let found = UInt(bitPattern: size)
    guard first < known else {
        return Failure(.invalidArgument, "\(name): expected size \(known) (at most 1024), got \(found)")
    }
    return Failure(
        .invalidArgument,
        """
        \(name): expected size \(first) to \(known) (at most 1024), a multiple of \(MemoryLayout<Int>.size), got \
        \(found)
        """
    )
}
