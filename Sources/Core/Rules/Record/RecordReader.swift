/// Reads the parts of a state from a record whose format, length, checksum and flags are valid.
struct RecordReader {
    let base: UnsafeRawPointer
    let count: Int
    /// Whether the record never left this process's memory; it then needs no checks.
    let isOwn: Bool
    let protocolVersion: ProtocolVersion
    let flags: UInt16
    /// The start of the next part of variable length.
    var position = RecordLayout.headerBytes

    /// Checks the format, length, checksum and flags, unless `isOwn` is true.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, isOwn: Bool) throws(Failure) {
        guard let base = bytes.baseAddress, bytes.count >= 1 else { throw corruptRecord("it is empty", bytes.count) }
        if !isOwn { try RecordReader.checkFrame(bytes, base) }
        func get<Number>(_ field: RecordField<Number>) -> Number { RecordReader.number(base, field.offset) }
        let protocolNumber = get(RecordLayout.protocolVersion)
        guard let protocolVersion = ProtocolVersion(rawValue: protocolNumber) else {
            throw corruptRecord("protocol \(protocolNumber)", bytes.count)
        }
        self.base = base
        count = bytes.count
        self.isOwn = isOwn
        self.protocolVersion = protocolVersion
        flags = get(RecordLayout.flags)
    }

    @inline(__always)
    private static func checkFrame(_ bytes: UnsafeRawBufferPointer, _ base: UnsafeRawPointer) throws(Failure) {
        let format = base.load(as: UInt8.self)
        guard format <= RecordFormat.current else {
            throw Failure(
                .recordTooNew, "record: format \(format), this libskan reads format \(RecordFormat.current)")
        }
        guard format == RecordFormat.current, bytes.count >= RecordLayout.headerBytes + RecordLayout.checksumBytes,
            bytes.count <= Limits.recordBytes
        else { throw corruptRecord("format \(format) with a length out of range", bytes.count) }
        func get<Number>(_ field: RecordField<Number>) -> Number { RecordReader.number(base, field.offset) }
        guard get(RecordLayout.byteCount) == UInt32(truncatingIfNeeded: bytes.count), hasItsChecksum(base, bytes.count)
        else { throw corruptRecord("the checksum does not match", bytes.count) }
        let flags = get(RecordLayout.flags)
        guard flags & ~RecordFlag.known == 0, flags & RecordFlag.measures == 0 || get(RecordLayout.modelBytes) > 0
        else { throw corruptRecord("unknown flags", bytes.count) }
    }

    private static func hasItsChecksum(_ base: UnsafeRawPointer, _ count: Int) -> Bool {
        let end = count &- RecordLayout.checksumBytes
        return checksum(UnsafeRawBufferPointer(start: base, count: end)) == number(base, end) as UInt64
    }

    /// The position of the checksum.
    @inline(__always)
    var end: Int { count &- RecordLayout.checksumBytes }

    @inline(__always)
    func has(_ flag: UInt16) -> Bool { flags & flag != 0 }

    @inline(__always)
    func get<Number>(_ field: RecordField<Number>) -> Number { RecordReader.number(base, field.offset) }

    @inline(__always)
    func get<Number: FixedWidthInteger>(_ type: Number.Type, at offset: Int) -> Number {
        assert(offset >= 0 && offset <= count - MemoryLayout<Number>.size)
        return RecordReader.number(base, offset)
    }

    @inline(__always)
    static func number<Number: FixedWidthInteger>(_ base: UnsafeRawPointer, _ offset: Int) -> Number {
        Number(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// The caller has checked that the record has these bytes.
    @inline(__always)
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        assert(count >= 0 && count <= end - position)
        let bytes = UnsafeRawBufferPointer(start: base + position, count: count)
        position &+= count
        return bytes
    }

    @inline(never)
    func corrupt(_ what: Message) -> Failure { corruptRecord(what, count) }
}

@inline(never)
private func corruptRecord(_ what: Message, _ count: Int) -> Failure {
    Failure(.corruptRecord, "record of \(count) bytes: \(what)")
}
