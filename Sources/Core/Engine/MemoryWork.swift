import SKANCore

/// The in-memory store as a driver for work of several steps. Only renames need this; every other change is one step
/// under the lock of a table.
extension MemoryRecords: BlockingStore {
    package func next(_ work: any InstallWork) -> StoreStep { work.next() }

    package func load(_ work: any InstallWork) {
        for position in work.due {
            withRecord(work.key(position)) { found in
                work.loaded(position, found?.record, version: found?.version ?? 0)
            }
        }
    }

    package func save(_ work: any InstallWork) {
        for position in work.due {
            withUnsafeTemporaryAllocation(byteCount: work.recordBound(position), alignment: 8) { bytes in
                guard let base = bytes.baseAddress else { return }
                let record = UnsafeRawBufferPointer(start: base, count: work.writeRecord(position, to: base))
                let version = save(work.key(position), record, expected: work.expectedVersion(position))
                work.ended(position, version == nil ? .conflict : .applied)
            }
        }
    }

    package func remove(_ work: any InstallWork) {
        for position in work.due {
            let isRemoved = remove(work.key(position), expected: work.expectedVersion(position))
            work.ended(position, isRemoved ? .applied : .conflict)
        }
    }

    /// Rules, "Rename": ends the rename that the record of `state` belongs to, and resets `state` to an empty one.
    @inline(never)
    @_optimize(size)
    func settle(_ state: inout InstallState, _ key: UnsafeRawBufferPointer) throws(Failure) {
        guard let mark = state.rename else { return }
        let protocolVersion = state.conversion.protocolVersion
        state.clear()
        let renaming = Renaming(.settle, mark.rename(of: [UInt8](key)), protocolVersion)
        drive(renaming)
        _ = try renaming.end()
    }

    /// Rules, "Forget": removes the record of a key, if there is one. Returns the number of the record's last update; 0
    /// if there is no record or no update.
    package func forget(_ key: UnsafeRawBufferPointer) throws(Failure) -> UInt64 {
        if let number = removeIfUnmarked(key) { return number }
        let removal = SingleInstall(removing: key)
        drive(removal)
        _ = try removal.end()
        return removal.removedNumber
    }
}
