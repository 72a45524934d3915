import SKANCore

/// Writes a text into an array of characters in a struct of C's, which are all zero, cut so that a NUL ends it.
func put<Characters>(_ text: UnsafeRawBufferPointer, in characters: inout Characters) {
    withUnsafeMutableBytes(of: &characters) { room in
        guard room.count > 1 else { return }
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: text.prefix(room.count - 1)))
    }
}

/// The buffer has to live as long as its bytes are read: a parameter does.
func put<Characters>(_ text: borrowing ByteBuffer, in characters: inout Characters) {
    put(text.bytes, in: &characters)
}

/// A digest as 64 hexadecimal digits.
func put<Characters>(_ digest: SHA256, in characters: inout Characters) {
    var text = ByteBuffer(capacity: 64)
    digest.write(to: &text)
    put(text, in: &characters)
}
