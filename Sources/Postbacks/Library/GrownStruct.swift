import SKANCompanionLibrary
import SKANCore

/// A struct that has grown since its first version by so many bytes, in which a caller may be older than this library.
struct GrownStruct<Value> {
    let grownBy: Int
    let zero: Value

    private var known: Int { MemoryLayout<Value>.stride }
    private var first: Int { known - grownBy }

    /// The options at `given`; an older caller's may end before any member that came since.
    func read(_ given: UnsafePointer<Value>?, _ name: StaticString) throws(Failure) -> Value {
        guard let given else { return zero }
        let size = UnsafeRawPointer(given).load(as: UInt.self)
        guard size < known else { return try readOptions(given, zero) }
        guard size >= first, size % UInt(MemoryLayout<UnsafeRawPointer>.size) == 0 else {
            throw Failure(.invalidArgument, "\(name).size: expected \(first) or more, got \(size)")
        }
        var value = zero
        withUnsafeMutableBytes(of: &value) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: given, count: Int(size)))
        }
        return value
    }

    /// Makes an out struct all zero but its size.
    func clear(_ out: UnsafeMutablePointer<Value>) throws(Failure) {
        let size = UnsafeRawPointer(out).load(as: UInt.self)
        guard size >= first, size <= 1024 else {
            throw Failure(.invalidArgument, "out.size: expected \(first) to 1024, got \(size)")
        }
        let rest = UnsafeMutableRawPointer(out) + MemoryLayout<Int>.size
        rest.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size) - MemoryLayout<Int>.size)
    }

    /// Gives as much of it as the caller knows; `size` is kept.
    func give(_ value: Value, to out: UnsafeMutablePointer<Value>) {
        let size = min(UnsafeRawPointer(out).load(as: Int.self), known)
        withUnsafeBytes(of: value) { bytes in
            guard let base = bytes.baseAddress, size > MemoryLayout<Int>.size else { return }
            (UnsafeMutableRawPointer(out) + MemoryLayout<Int>.size).copyMemory(
                from: base + MemoryLayout<Int>.size, byteCount: size - MemoryLayout<Int>.size)
        }
    }
}
