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
    package mutating func clear() { self = InstallState(protocolVersion) }

    @inline(__always)
    package mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure) { try read(record, isOwn: false) }

    /// `isOwn`: the record never left this process's memory.
    @inline(__always)
    package mutating func read(_ record: UnsafeRawBufferPointer, isOwn: Bool) throws(Failure) {
        let ours = protocolVersion
        try Record.read(record, isOwn: isOwn, into: &self)
        guard protocolVersion == ours else {
            let found = protocolVersion
            throw Failure(
                .misuse, "engine: speaks SKAN \(ours.rawValue), the install's record is of SKAN \(found.rawValue)")
        }
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
