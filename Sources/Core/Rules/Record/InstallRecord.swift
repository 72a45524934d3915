/// Rules, "Records", "Unknown saves": an install's state as a stored record.
extension InstallState: StoredState {
    package static func drawWriteID(_ random: () -> UInt64) -> UInt32 {
        // 0 means none.
        while true {
            let id = UInt32(truncatingIfNeeded: random())
            if id != 0 { return id }
        }
    }

    @inline(__always)
    package mutating func clear() { self = InstallState(conversion.protocolVersion) }

    @inline(__always)
    package mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure) { try read(record, isOwn: false) }

    /// `isOwn`: the record never left this process's memory.
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

    /// The number of the last update in a record of either protocol; 0 if it has none or is damaged.
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

    /// A new record counts its writes from a random number, so that it differs from a removed one.
    @inline(__always)
    package mutating func beginHistory(_ random: () -> UInt64) {
        if !isStored { writes = .new(startingAt: random()) }
    }

    package func holds(_ write: UInt32) -> Bool { isStored && writes.contains(write) }

    @inline(__always)
    package var writeCount: UInt64 { writes.count }

    /// Whether the record descends from the one before the write in doubt, and still lists all writes since.
    package func excludes(_ write: UInt32, since doubt: WriteBase) -> Bool {
        isStored && doubt.version != 0 && writes.count &- doubt.writeCount < 8
    }
}
