/// Rules, "Records": the stored form of an install's state, compact, versioned, checksummed; `RecordLayout` says what
/// stands where.
package enum Record {
    /// How many bytes `write` will take, at most.
    @inline(__always)
    package static func sizeBound(_ state: InstallState) -> Int {
        RecordLayout.headerBytes &+ Window.count &* 8 &+ state.revenue.count &* TotalsPart.mostBytes
            &+ state.revenueEvents.byteCount &+ state.conversionEvents.byteCount &+ (state.model?.byteBound ?? 0)
            &+ ReengagementsPart.byteBound(state) &+ RecordLayout.checksumBytes
    }

    /// Writes the record into memory of at least `sizeBound` bytes; answers its length. An own record, which never
    /// leaves this process' memory, has no checksum yet: `seal` adds it.
    ///
    /// Takes the state as a variable, only to read it in place.
    package static func write(_ state: inout InstallState, isOwn: Bool, to base: UnsafeMutableRawPointer) -> Int {
        assert(state.isSound)
        var record = RecordWriter(base)
        record.put(RecordFormat.current, RecordLayout.format)
        record.put(state.protocolVersion.rawValue, RecordLayout.protocolVersion)
        record.passAll(&state)
        record.put(record.flags, RecordLayout.flags)
        let count = record.position &+ RecordLayout.checksumBytes
        record.put(UInt32(truncatingIfNeeded: count), RecordLayout.byteCount)
        assert(count <= sizeBound(state) && record.flags & ~RecordFlag.known == 0)
        if !isOwn { seal(UnsafeMutableRawBufferPointer(start: base, count: count)) }
        return count
    }

    /// Puts the checksum at the end of a record.
    package static func seal(_ record: UnsafeMutableRawBufferPointer) {
        let end = record.count &- RecordLayout.checksumBytes
        guard end >= 0 else { return }
        let sum = checksum(UnsafeRawBufferPointer(rebasing: record[..<end]))
        record.storeBytes(of: sum.littleEndian, toByteOffset: end, as: UInt64.self)
    }

    /// Reads a record. RECORD_TOO_NEW for a newer format, CORRUPT_RECORD for one that is damaged or that no libskan
    /// wrote.
    ///
    /// The state has to be empty before. `isOwn` says that the record never left this process' memory: it has no
    /// checksum, and has to stay where it is as long as the state is used, which borrows its event ids.
    package static func read(
        _ bytes: UnsafeRawBufferPointer, isOwn: Bool, into state: inout InstallState
    ) throws(Failure) {
        var record = try RecordReader(bytes, isOwn: isOwn)
        state.protocolVersion = record.protocolVersion
        state.isStored = true
        try record.passAll(&state)
        assert(record.position == record.end && state.isSound)
    }
}
