package import SKANCore

/// The types in the signatures of C's functions, and the error for a NULL.

/// A text that ends at a NUL.
public typealias TextIn = UnsafePointer<CChar>?

/// The place for a text that the caller owns afterwards.
public typealias TextOut = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// The place for an object that the caller owns afterwards.
public typealias ObjectOut = UnsafeMutablePointer<OpaquePointer?>?

/// The place for an error object.
public typealias ErrorOut = UnsafeMutablePointer<OpaquePointer?>?

@inline(never)
package func null(_ name: StaticString) -> Failure {
    Failure(.invalidArgument, "\(name): expected a pointer, got NULL")
}

/// Gives text to the caller, ended by a NUL.
package func cText(_ buffer: consuming ByteBuffer) -> UnsafeMutablePointer<CChar> {
    buffer.text().start
}

package func cText(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
    var text = ByteBuffer(capacity: bytes.count + 1)
    bytes.withUnsafeBytes { text.append($0) }
    return cText(text)
}

/// The size of a pointer, which is that of each optional member of a struct.
package var wordBytes: Int { MemoryLayout<UnsafeRawPointer>.size }
