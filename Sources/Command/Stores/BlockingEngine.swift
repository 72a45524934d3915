package import SKANCore
package import SKANEngine
package import SKANStorePool
package import SKANSystem

/// The kinds of store calls whose durations are measured.
package enum StoreCall: Sendable {
    case load, save, remove
}

/// Loads a record, runs a rule and saves the result, all on the calling thread. Works with stores whose calls block,
/// including stores made of C hooks.
private struct BlockingRecords: BlockingStore {
    let store: RecordStore
    /// Called after a record was added under a new key.
    let created: () -> Void
    /// Called with the duration of each call of the store, in microseconds.
    let took: (StoreCall, UInt64) -> Void

    func next(_ work: any InstallWork) -> StoreStep { work.next() }

    func load(_ work: any InstallWork) {
        var found: (record: [UInt8], version: UInt64)?
        var status = Status.notFound
        do throws(Failure) {
            let isThere = try timed(.load) { () throws(Failure) in
                try store.load(work.key(0)) { record, version in
                    found = ([UInt8](record), version)
                    return true
                }
            }
            if isThere { status = .ok }
        } catch {
            status = error.status
        }
        if status == .notFound { return work.loaded(0, nil, version: 0) }
        guard status == .ok, let found, found.version != 0 else {
            let expected: Message = "store.load: expected SKAN_OK with a version or SKAN_NOT_FOUND"
            return work.loadFailed(0, "\(expected), got \(status.name) (\(status.rawValue))")
        }
        found.record.withUnsafeBytes { work.loaded(0, $0, version: found.version) }
    }

    func save(_ work: any InstallWork) {
        let expected = work.expectedVersion(0)
        var end = WriteEnd.failed("store.save: no memory")
        withUnsafeTemporaryAllocation(byteCount: work.recordBound(0), alignment: 8) { memory in
            guard let base = memory.baseAddress else { return }
            end = save(work.key(0), Bytes(start: base, count: work.writeRecord(0, to: base)), expected)
        }
        if expected == 0, case .applied = end { created() }
        work.ended(0, end)
    }

    private func save(_ key: Bytes, _ record: Bytes, _ expected: UInt64) -> WriteEnd {
        do throws(Failure) {
            let saved = try timed(.save) { () throws(Failure) in try store.save(key, record, expected: expected) }
            guard let version = saved else { return .conflict }
            guard version == 0 || version == expected else { return .applied }
            return .unknown("store.save: answered SKAN_OK with version \(version) after version \(expected)")
        } catch {
            return writeEnd(error, "store.save")
        }
    }

    func remove(_ work: any InstallWork) {
        do throws(Failure) {
            let isRemoved = try timed(.remove) { () throws(Failure) in
                try store.remove(work.key(0), expected: work.expectedVersion(0))
            }
            work.ended(0, isRemoved ? .applied : .conflict)
        } catch {
            work.ended(0, writeEnd(error, "store.remove"))
        }
    }

    /// Makes a call and reports its duration, whether or not it throws.
    private func timed<Result>(_ call: StoreCall, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let start = microsecondsNow()
        defer { took(call, microsecondsNow() - start) }
        return try body()
    }

    /// Returns the result of a write that threw. An error with the status OK or CONFLICT counts as an unknown outcome.
    private func writeEnd(_ failure: Failure, _ hook: StaticString) -> WriteEnd {
        failure.status.isError && failure.status != .storeConflict
            ? WriteEnd(failure.status, hook) : .unknown("\(hook): \(failure.message)")
    }
}

extension RecordStore {
    /// Runs a rule on the install under a key when its turn comes, and again if others change the record meanwhile.
    /// Returns the resulting status. The store's own messages go to the function that was given when the store was
    /// opened. `created` is called if there was no record before; `took` is called with the duration of each call of
    /// the store in microseconds.
    package func perform(
        _ key: Bytes, _ protocolVersion: ProtocolVersion, in turns: InstallTurns, created: @escaping () -> Void = {},
        took: @escaping (StoreCall, UInt64) -> Void = { _, _ in },
        _ rule: @escaping (inout InstallState) throws(Failure) -> Verdict
    ) throws(Failure) -> Status {
        let change = SingleInstall(key, protocolVersion, rule)
        let turn = turns.take(key)
        BlockingRecords(store: self, created: created, took: took).drive(change)
        turns.end(turn)
        return try change.end()
    }

    package func carryOut(_ work: some CallWork) throws(Failure) -> Status {
        BlockingRecords(store: self, created: {}, took: { _, _ in }).drive(work)
        return try work.end()
    }
}
