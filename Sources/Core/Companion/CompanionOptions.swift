package import SKANCore

/// The options at `given` as this library knows them, of a struct that begins with its size. A larger one from a newer
/// caller is taken if its unknown tail is zero; NULL is `zero`, which is all zero.
package func readOptions<Options>(_ given: UnsafePointer<Options>?, _ zero: Options) throws(Failure) -> Options {
    guard let given else { return zero }
    let known = MemoryLayout<Options>.stride
    let bytes = UnsafeRawPointer(given)
    let size = bytes.load(as: UInt.self)
    guard size >= known && size <= 1024 else {
        throw Failure(.invalidArgument, "options.size: expected \(known) to 1024, got \(size)")
    }
    for offset in known..<Int(size) where bytes.load(fromByteOffset: offset, as: UInt8.self) != 0 {
        throw Failure(
            .invalidArgument, "options: byte \(offset), which this library does not know, is not zero")
    }
    return given.pointee
}

package func checkOption(_ name: StaticString, _ value: UInt32, atMost most: UInt32) throws(Failure) {
    if value > most { throw Failure(.invalidArgument, "options.\(name): expected at most \(most), got \(value)") }
}
