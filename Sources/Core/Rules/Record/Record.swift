/// Rules, "Records": the stored form of an install's state, which is compact, versioned and has a checksum.
/// `RecordLayout` describes the layout.
package enum Record {
    /// The maximum number of bytes that `write` needs.
    @inline(__always)
    package static func sizeBound(_ state: InstallState) -> Int {
        RecordLayout.headerBytes &+ Window.count &* 8 &+ state.revenue.count &* TotalsPart.mostBytes
            &+ state.events.byteCount &+ (state.conversion.model?.byteBound ?? 0)
            &+ RenamePart.byteBound(state) &+ ReengagementsPart.byteBound(state) &+ RecordLayout.checksumBytes
    }

    /// Writes the record into memory of at least `sizeBound` bytes, and returns its length. A record that never leaves
    /// this process's memory (`isOwn`) gets no checksum here; `seal` can add it.
    ///
    /// `state` is inout only to avoid a copy.
    package static func write(_ state: inout InstallState, isOwn: Bool, to base: UnsafeMutableRawPointer) -> Int {
        assert(state.conversion.isSound)
        var record = RecordWriter(base)
        record.put(RecordFormat.current, RecordLayout.format)
        record.put(state.conversion.protocolVersion.rawValue, RecordLayout.protocolVersion)
        record.passAll(&state)
        record.put(record.flags, RecordLayout.flags)
        let count = record.position &+ RecordLayout.checksumBytes
        record.put(UInt32(truncatingIfNeeded: count), RecordLayout.byteCount)
        assert(count <= sizeBound(state) && record.flags & ~RecordFlag.known == 0)
        if !isOwn { seal(UnsafeMutableRawBufferPointer(start: base, count: count)) }
        return count
    }

    /// Adds the checksum at the end of a record.
    package static func seal(_ record: UnsafeMutableRawBufferPointer) {
        let end = record.count &- RecordLayout.checksumBytes
        guard end >= 0 else { return }
        let sum = checksum(UnsafeRawBufferPointer(rebasing: record[..<end]))
        record.storeBytes(of: sum.littleEndian, toByteOffset: end, as: UInt64.self)
    }

    package static func hasRenameMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, bytes.count >= RecordLayout.headerBytes else { return false }
        let flags: UInt16 = RecordReader.number(base, RecordLayout.flags.offset)
        return flags & RecordFlag.rename != 0
    }

    /// Reads a record. Throws RECORD_TOO_NEW for a newer format, and CORRUPT_RECORD for a record that is damaged or not
    /// written by libskan.
    ///
    /// The state must be empty before. `isOwn` says that the record never left this process's memory. Such a record is
    /// not checked, and must stay in place while the state is used, because the state borrows its event ids.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, isOwn: Bool, into state: inout InstallState
    ) throws(Failure) {
        var record = try RecordReader(bytes, isOwn: isOwn)
        state.conversion.protocolVersion = record.protocolVersion
        state.isStored = true
        try record.passAll(&state)
        assert(record.position == record.end && state.conversion.isSound)
    }
}
