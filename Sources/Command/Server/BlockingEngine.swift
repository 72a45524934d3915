internal import CSKANSupport
package import SKANCore
package import SKANEngine
package import SKANStorePool
package import SKANSystem

/// Load, rule, save, on the thread that calls: on a store whose calls wait, as on one that is made through C's hooks.
extension RecordStore {
    /// Runs a rule on the install under a key, again where others change it meanwhile; answers how it ended. What the
    /// store itself said goes where its reports go. `created` is called where there was no record before.
    package func perform(
        _ rule: any RuleObject, _ key: Bytes, _ protocolVersion: ProtocolVersion, created: () -> Void = {}
    ) throws(Failure) -> Status {
        var transaction = Transaction(AnyRule(rule), protocolVersion)
        var step = Step.load(after: 0)
        while true {
            switch step {
            case .load(let pause):
                if pause > 0 { support_pause(pause) }
                step = load(&transaction, key)
            case .save(let expected):
                let end = save(&transaction, key, expected)
                if expected == 0, case .applied = end { created() }
                step = transaction.saved(end)
            case .done(let status):
                return status
            case .fail(let failure):
                throw failure
            }
        }
    }

    private func load(_ transaction: inout Transaction<AnyRule>, _ key: Bytes) -> Step {
        var found: (record: [UInt8], version: UInt64)?
        let status: Status
        do throws(Failure) {
            let isThere = try load(key) { record, version in
                found = ([UInt8](record), version)
                return true
            }
            status = isThere ? .ok : .notFound
        } catch {
            status = error.status
        }
        if status == .notFound { return transaction.loaded(nil, version: 0) }
        guard status == .ok, let found, found.version != 0 else {
            let expected: Message = "store.load: expected SKAN_OK with a version or SKAN_NOT_FOUND"
            return transaction.loadFailed("\(expected), got \(status.name) (\(status.rawValue))")
        }
        return found.record.withUnsafeBytes { transaction.loaded($0, version: found.version) }
    }

    private func save(_ transaction: inout Transaction<AnyRule>, _ key: Bytes, _ expected: UInt64) -> WriteEnd {
        var end = WriteEnd.failed("store.save: no memory")
        withUnsafeTemporaryAllocation(byteCount: transaction.recordBound, alignment: 8) { memory in
            guard let base = memory.baseAddress else { return }
            let length = transaction.writeRecord(to: base)
            end = save(key, Bytes(start: base, count: length), expected)
        }
        return end
    }

    private func save(_ key: Bytes, _ record: Bytes, _ expected: UInt64) -> WriteEnd {
        do throws(Failure) {
            guard let version = try save(key, record, expected: expected) else { return .conflict }
            guard version == 0 || version == expected else { return .applied }
            return .unknown("store.save: answered SKAN_OK with version \(version) after version \(expected)")
        } catch {
            if error.status == .store { return .failed("store.save: answered \(error.status.name)") }
            return .unknown("store.save: answered \(error.status.name) (\(error.status.rawValue))")
        }
    }
}
