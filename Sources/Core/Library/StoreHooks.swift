import CSKAN
import CSKANSupport
import SKANCore
import SKANEngine

/// The blocking driver: carries out what a transaction asks for, on the in-memory store or through the host's hooks.
extension Engine {
    func perform<R: Rule>(_ transaction: inout Transaction<R>, _ key: InstallKey) throws(Failure) -> Status {
        switch pointee.store {
        case .memory(let memory):
            return try memory.perform(&transaction, key.bytes)
        case .hooks(let store):
            return try transaction.drive { writing, rule throws(Failure) in try drive(&writing, rule, store, key) }
        }
    }

    /// The same of a rule that runs rarely.
    @inline(never)
    func perform(_ rule: any RuleObject, _ key: InstallKey) throws(Failure) -> Status {
        var transaction = Transaction(AnyRule(rule), pointee.protocolVersion)
        return try perform(&transaction, key)
    }

    /// Removes the record of a key, whatever it holds.
    func remove(_ key: InstallKey) throws(Failure) {
        switch pointee.store {
        case .memory(let memory):
            memory.remove(key.bytes)
        case .hooks(let store):
            try driveRemoval(store, key)
        }
    }

    @inline(never)
    private func drive(
        _ writing: inout Writing<InstallState>, _ rule: any RuleObject, _ store: skan_store, _ key: InstallKey
    ) throws(Failure) -> Status {
        var step = Step.load(after: 0)
        while true {
            switch step {
            case .load(let pause):
                if pause > 0 { support_pause(pause) }
                step = load(&writing, rule, store, key)
            case .save(let expected):
                let end = withUnsafeTemporaryAllocation(byteCount: writing.recordBound, alignment: 8) { memory in
                    guard let base = memory.baseAddress else { return WriteEnd.failed("store.save: no memory") }
                    let length = writing.writeRecord(to: base)
                    return save(store, key, UnsafeRawBufferPointer(start: base, count: length), expected)
                }
                step = writing.saved(end)
            case .done(let status):
                return status
            case .fail(let failure):
                throw failure
            }
        }
    }

    private func load(
        _ writing: inout Writing<InstallState>, _ rule: any RuleObject, _ store: skan_store, _ key: InstallKey
    ) -> Step {
        var buffer = BufferObject()
        var version: UInt64 = 0
        switch load(store, key, &buffer, &version) {
        case .ok: return writing.loaded(buffer.bytes.bytes, version: version, rule)
        case .notFound: return writing.loaded(nil, version: 0, rule)
        case let status: return writing.loadFailed(failedLoad(status, "store.load"))
        }
    }

    private func driveRemoval(_ store: skan_store, _ key: InstallKey) throws(Failure) {
        var removal = Removal()
        var step = Step.load(after: 0)
        while true {
            switch step {
            case .load(let pause):
                if pause > 0 { support_pause(pause) }
                var buffer = BufferObject()
                var version: UInt64 = 0
                switch load(store, key, &buffer, &version) {
                case .ok: step = removal.loaded(version: version)
                case .notFound: step = removal.loaded(version: nil)
                case let status: step = removal.loadFailed(failedLoad(status, "store.load"))
                }
            case .save(let expected):
                step = removal.removed(remove(store, key, expected))
            case .done:
                return
            case .fail(let failure):
                throw failure
            }
        }
    }

    // MARK: The hooks

    /// OK with a version, NOT_FOUND, or anything else for a failure.
    func load(
        _ store: skan_store, _ key: InstallKey, _ buffer: inout BufferObject, _ version: inout UInt64
    ) -> Status {
        guard let hook = store.load else { return .store }
        let status = withUnsafeMutablePointer(to: &buffer) { buffer in
            inHook { hook(store.context, key.text, OpaquePointer(buffer), &version) }
        }
        return loadEnd(status, version)
    }

    func loadEnd(_ status: skan_status, _ version: UInt64) -> Status {
        status == Status.ok.rawValue && version == 0 ? .store : Status(rawValue: status)
    }

    func failedLoad(_ status: Status, _ hook: StaticString) -> Message {
        "\(hook): expected SKAN_OK with a version or SKAN_NOT_FOUND, got \(status.name) (\(status.rawValue))"
    }

    func save(
        _ store: skan_store, _ key: InstallKey, _ record: UnsafeRawBufferPointer, _ expected: UInt64
    ) -> WriteEnd {
        guard let hook = store.save else { return .failed("store.save: no such hook") }
        var version: UInt64 = 0
        let status = inHook { hook(store.context, key.text, record.baseAddress, record.count, expected, &version) }
        return saveEnd(status, version, expected, "store.save")
    }

    func saveEnd(_ status: skan_status, _ version: UInt64, _ expected: UInt64, _ hook: StaticString) -> WriteEnd {
        if status == Status.ok.rawValue, version == 0 || version == expected {
            return .unknown("\(hook): answered SKAN_OK with version \(version) after version \(expected)")
        }
        return writeEnd(status, hook)
    }

    private func remove(_ store: skan_store, _ key: InstallKey, _ expected: UInt64) -> WriteEnd {
        guard let hook = store.remove else { return .failed("store.remove: no such hook") }
        return writeEnd(inHook { hook(store.context, key.text, expected) }, "store.remove")
    }

    private func writeEnd(_ status: skan_status, _ hook: StaticString) -> WriteEnd {
        switch Status(rawValue: status) {
        case .ok: .applied
        case .storeConflict: .conflict
        case .store: .failed("\(hook): answered SKAN_ERROR_STORE")
        case let status: .unknown("\(hook): answered \(status.name) (\(status.rawValue))")
        }
    }
}
