/// Rules, "Records", "Unknown saves": an install's state as a stored record.
extension InstallState: StoredState {
    package static func drawWriteID(_ random: () -> UInt64) -> UInt32 {
        // In a history of writes 0 means none, so it is not an id.
        while true {
            let id = UInt32(truncatingIfNeeded: random())
            if id != 0 { return id }
        }
    }

    @inline(__always)
    package mutating func clear() { self = InstallState(conversion.protocolVersion) }

    @inline(__always)
    package mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure) { try read(record, isOwn: false) }

    /// Reads a record of the state's protocol. `isOwn` says that the record never left this process's memory.
    @inline(__always)
    package mutating func read(_ record: UnsafeRawBufferPointer, isOwn: Bool) throws(Failure) {
        let ours = conversion.protocolVersion
        try Record.read(record, isOwn: isOwn, into: &self)
        guard conversion.protocolVersion == ours else {
            let found = conversion.protocolVersion
            throw Failure(
                .misuse, "engine: speaks SKAN \(ours.rawValue), the install's record is of SKAN \(found.rawValue)")
        }
    }

    /// The number of the last update in a record of either protocol; 0 if the record has no update or is damaged.
    package static func lastUpdateNumber(of record: UnsafeRawBufferPointer, isOwn: Bool) -> UInt64 {
        var state = InstallState(.skan4)
        do throws(Failure) { try Record.read(record, isOwn: isOwn, into: &state) } catch { return 0 }
        return state.lastUpdateNumber
    }

    @inline(__always)
    package mutating func add(_ write: UInt32, _ random: () -> UInt64) {
        beginHistory(random)
        writes.add(write)
    }

    /// Starts the history of writes if the record is new. The count starts at a random number, so that the new record
    /// differs from one that was removed.
    @inline(__always)
    package mutating func beginHistory(_ random: () -> UInt64) {
        if !isStored { writes = .new(startingAt: random()) }
    }

    package func holds(_ write: UInt32) -> Bool { isStored && writes.contains(write) }

    @inline(__always)
    package var writeCount: UInt64 { writes.count }

    /// Whether the write in doubt was certainly not applied. The record lists its last 8 writes. If fewer were made
    /// since the record that the write was meant to replace, the list is complete, and `holds` has not found the write
    /// in it.
    package func excludes(_ write: UInt32, since doubt: WriteBase) -> Bool {
        isStored && doubt.version != 0 && writes.count &- doubt.writeCount < 8
    }
}
