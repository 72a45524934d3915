package import SKANCore

/// Reads and writes a C struct that begins with its size as the caller knows it. Structs only grow: an older caller's
/// struct may end before the members that were added later, and a newer caller's struct is accepted if all bytes that
/// this libskan does not know are zero.
package struct SizedStruct<Value> {
    private let name: StaticString
    private let zero: Value
    private let first: Int

    private var known: Int { MemoryLayout<Value>.stride }

    /// Creates the description of a C struct. `name`: the struct's name, for error messages. `zero`: a struct with all
    /// bytes zero, as Swift's initializer of a C struct returns it. `bytes`: the number of bytes by which the struct
    /// has grown since its first version.
    @inline(__always)
    package init(_ name: StaticString, _ zero: Value, optional bytes: Int = 0) {
        self.name = name
        self.zero = zero
        first = MemoryLayout<Value>.stride &- bytes
    }

    /// Copies the caller's struct. Members that the caller's version does not have are zero in the copy; NULL gives a
    /// copy with all bytes zero.
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

    /// Checks the size that a struct states, and that all bytes which this libskan does not know are zero. Returns the
    /// size.
    @inline(__always)
    @discardableResult
    package func checkSize(at given: UnsafeRawPointer) throws(Failure) -> Int {
        // Nearly every caller has this libskan's size.
        guard given.load(as: Int.self) != known else { return known }
        return try checkedSize(given, from: first, known: known, name)
    }

    /// Checks the size that an out struct states and returns it. Does not read the other bytes, because the function
    /// overwrites them.
    @inline(__always)
    package func checkOutSize(at out: UnsafeRawPointer) throws(Failure) -> Int {
        guard out.load(as: Int.self) != known else { return known }
        return try legalSize(out, from: first, known: known, name)
    }

    /// Sets all bytes of an out struct to zero, except its size.
    package func clear(_ out: UnsafeMutablePointer<Value>) throws(Failure) {
        let size = try checkOutSize(at: out)
        let rest = UnsafeMutableRawPointer(out) + MemoryLayout<Int>.size
        rest.initializeMemory(as: UInt8.self, repeating: 0, count: size &- MemoryLayout<Int>.size)
    }

    /// Copies as much of `value` as fits into the caller's out struct, which must have been cleared. The out struct's
    /// `size` does not change.
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
    // The size of every member that was added later is a multiple of a word.
    guard size >= known || size % MemoryLayout<Int>.size == 0 else { throw illegalSize(size, first, known, name) }
    return size
}

/// Checks that structs of this size can be the elements of an array.
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
