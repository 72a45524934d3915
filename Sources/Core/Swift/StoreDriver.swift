internal import SKANCore
internal import SKANEngine

/// The driver that waits: carries out what a transaction asks for, on the in-memory store or through a host's.
extension Engine {
    nonisolated(nonsending) func perform<R: Rule>(
        _ transaction: inout Transaction<R>, _ key: InstallKey
    ) async throws -> Status {
        switch storage {
        case .memory(let memory):
            return try translated { () throws(Failure) in try memory.records.perform(&transaction, key.bytes) }
        case .host(let store):
            return try await drive(&transaction, HostStore(engine: self, store: store, key: key.text))
        }
    }

    /// Removes the record of a key, whatever it holds.
    nonisolated(nonsending) func remove(_ key: InstallKey) async throws {
        switch storage {
        case .memory(let memory):
            memory.records.remove(key.bytes)
        case .host(let store):
            try await driveRemoval(HostStore(engine: self, store: store, key: key.text))
        }
    }

    /// The state of an install, as it is now.
    nonisolated(nonsending) func state(_ key: InstallKey) async throws -> InstallState {
        var transaction = Transaction(Reading(), protocolVersion)
        _ = try await perform(&transaction, key)
        return transaction.state
    }

    private nonisolated(nonsending) func drive<R: Rule>(
        _ transaction: inout Transaction<R>, _ store: HostStore
    ) async throws -> Status {
        var store = store
        var step = Step.load(after: 0)
        while true {
            switch step {
            case .load(let pause):
                switch await store.load(after: pause) {
                case .record(let record):
                    step = record.bytes.withUnsafeBytes { transaction.loaded($0, version: record.version) }
                case .none:
                    step = transaction.loaded(nil, version: 0)
                case .failed(let message):
                    step = transaction.loadFailed(message)
                }
            case .save(let expected):
                step = transaction.saved(await store.save(record(of: &transaction), expected))
            case .done(let status):
                return status
            case .fail(let failure):
                throw store.error(failure)
            }
        }
    }

    private nonisolated(nonsending) func driveRemoval(_ store: HostStore) async throws {
        var store = store
        var removal = Removal()
        var step = Step.load(after: 0)
        while true {
            switch step {
            case .load(let pause):
                switch await store.load(after: pause) {
                case .record(let record): step = removal.loaded(version: record.version)
                case .none: step = removal.loaded(version: nil)
                case .failed(let message): step = removal.loadFailed(message)
                }
            case .save(let expected):
                step = removal.removed(await store.remove(expected))
            case .done:
                return
            case .fail(let failure):
                throw store.error(failure)
            }
        }
    }
}

/// What a transaction wants to be saved.
private func record<R: Rule>(of transaction: inout Transaction<R>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: transaction.recordBound) { memory, count in
        guard let base = memory.baseAddress else { return }
        count = transaction.writeRecord(to: base)
    }
}

/// The store of a host, for one call: what its hooks answer, in the words of a transaction.
private struct HostStore {
    let engine: Engine
    let store: any Store
    let key: String
    /// What a hook threw last.
    private var thrown: (any Error)?

    init(engine: Engine, store: any Store, key: String) {
        self.engine = engine
        self.store = store
        self.key = key
    }

    enum Loaded {
        case record(StoredRecord)
        case none
        case failed(Message)
    }

    mutating nonisolated(nonsending) func load(after pause: UInt32) async -> Loaded {
        if pause > 0 {
            do {
                try await Task.sleep(nanoseconds: UInt64(pause) * 1000)
            } catch {
                thrown = error
                return .failed("the task was cancelled before the next attempt")
            }
        }
        do {
            let record = try await HookCall.run(of: engine) { [store, key] in try await store.load(key) }
            guard let record else { return .none }
            guard record.version == 0 else { return .record(record) }
            thrown = nil
            return .failed("store.load: answered a record with version 0")
        } catch {
            thrown = error
            return .failed("store.load: \(words(error))")
        }
    }

    mutating nonisolated(nonsending) func save(_ record: [UInt8], _ expected: UInt64) async -> WriteEnd {
        do {
            let result = try await HookCall.run(of: engine) { [store, key] in
                try await store.save(key, record, expected: expected)
            }
            return writeEnd(.success(result), after: expected, "store.save")
        } catch {
            thrown = error
            return writeEnd(.failure(error), after: expected, "store.save")
        }
    }

    mutating nonisolated(nonsending) func remove(_ expected: UInt64) async -> WriteEnd {
        do {
            let result = try await HookCall.run(of: engine) { [store, key] in
                try await store.remove(key, expected: expected)
            }
            return result == .removed ? .applied : .conflict
        } catch {
            thrown = error
            return failed(error, "store.remove")
        }
    }

    /// What the call throws in the end.
    func error(_ failure: Failure) -> any Error {
        switch failure.status {
        case .store where isCancellation(thrown): CancellationError()
        case .store, .storeUnknown: SKANError(failure, underlying: thrown)
        default: SKANError(failure)
        }
    }
}

/// How a save ended, by what its hook answered.
func writeEnd(_ answer: Result<SaveResult, any Error>, after expected: UInt64, _ hook: StaticString) -> WriteEnd {
    switch answer {
    case .success(.saved(let version)) where version == 0 || version == expected:
        .unknown("\(hook): answered saved with version \(version) after version \(expected)")
    case .success(.saved): .applied
    case .success(.conflict): .conflict
    case .failure(let error): failed(error, hook)
    }
}

private func failed(_ error: any Error, _ hook: StaticString) -> WriteEnd {
    let message: Message = "\(hook): \(words(error))"
    return error is StoreFailure ? .failed(message) : .unknown(message)
}

/// Of other errors than libskan's own only the type: what they say may be secret.
func words(_ error: any Error) -> Message {
    switch error {
    case let failure as StoreFailure: Message(utf8: Array("failed: \(failure.message)".utf8))
    case let error as SKANError: Message(utf8: Array("failed: \(error.message)".utf8))
    default: Message(utf8: Array("threw \(type(of: error))".utf8))
    }
}

/// Whether a hook was cancelled before it changed anything.
func isCancellation(_ error: (any Error)?) -> Bool {
    error is CancellationError || (error as? StoreFailure)?.underlying is CancellationError
}
