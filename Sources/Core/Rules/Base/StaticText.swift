extension StaticString {
    /// The text's UTF-8, which is valid for ever.
    @inline(__always)
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount) }
}
