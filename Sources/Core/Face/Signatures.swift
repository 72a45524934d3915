package import SKANCore

// Types in the signatures of C functions, and the error for a NULL argument.

/// A NUL-terminated text.
public typealias TextIn = UnsafePointer<CChar>?

/// An out parameter for a text, which the caller then owns.
public typealias TextOut = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

/// An out parameter for an object, which the caller then owns.
public typealias ObjectOut = UnsafeMutablePointer<OpaquePointer?>?

/// An out parameter for an error object, which the caller then owns.
public typealias ErrorOut = UnsafeMutablePointer<OpaquePointer?>?

@inline(never)
package func null(_ name: StaticString) -> Failure {
    Failure(.invalidArgument, "\(name): expected a pointer, got NULL")
}

/// Converts the text to a NUL-terminated one that the caller owns.
package func cText(_ buffer: consuming ByteBuffer) -> UnsafeMutablePointer<CChar> {
    buffer.text().start
}

package func cText(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar> {
    var text = ByteBuffer(capacity: bytes.count + 1)
    bytes.withUnsafeBytes { text.append($0) }
    return cText(text)
}

/// The size of a pointer, which is the size of each member that was added to a C struct after its first version.
package var wordBytes: Int { MemoryLayout<UnsafeRawPointer>.size }
