/// Writes the parts of a state into memory that has room for them.
struct RecordWriter {
    let base: UnsafeMutableRawPointer
    var flags: UInt16 = 0
    /// The start of the next part of variable length.
    var position = RecordLayout.headerBytes

    @inline(__always)
    init(_ base: UnsafeMutableRawPointer) { self.base = base }

    @inline(__always)
    func put<Number>(_ number: Number, _ field: RecordField<Number>) { put(number, at: field.offset) }

    @inline(__always)
    func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// The address of the next part.
    @inline(__always)
    var next: UnsafeMutableRawPointer { base + position }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { next.copyMemory(from: start, byteCount: bytes.count) }
        }
        position &+= bytes.count
    }

    @inline(__always)
    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        put(number, at: position)
        position &+= MemoryLayout<Number>.size
    }
}
