internal import SKAN
internal import SKANCore
internal import SKANStoreLaws
internal import SKANSystem
internal import Synchronization

/// A Swift store as a store under test: its calls block until the store's asynchronous methods are done.
final class KitHandle: StoreUnderTest {
    /// The store; nil after closing, so that it is released if nothing else refers to it.
    private let store: Mutex<(any Store)?>
    private let thrown: ThrownErrors

    init(_ store: any Store, _ thrown: ThrownErrors) {
        self.store = Mutex(store)
        self.thrown = thrown
    }

    /// Every Swift store has these calls; none can list its keys.
    var offers: OptionalCalls { [.loadMany, .saveMany] }

    func close() { store.withLock { $0 = nil } }

    // MARK: Calls

    func load(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] {
        keys.map { String(cString: $0) }.map { key in loaded(waiting { store in try await store.load(key) }) }
    }

    func save(_ key: UnsafePointer<CChar>, _ record: Bytes, expected: UInt64) -> Written {
        let (key, record) = (String(cString: key), [UInt8](record))
        return written(waiting { store in try await store.save(key, record, expected: expected) })
    }

    func remove(_ key: UnsafePointer<CChar>, expected: UInt64) -> Status {
        let key = String(cString: key)
        switch waiting({ store in try await store.remove(key, expected: expected) }) {
        case .success(.removed): return .ok
        case .success(.conflict): return .storeConflict
        case .failure(let error): return failedWrite(error)
        }
    }

    func loadMany(_ keys: [UnsafePointer<CChar>], over held: Bytes?) -> [Loaded] {
        let keys = keys.map { String(cString: $0) }
        return checked(waiting { store in try await store.loadMany(keys) }, keys.count).map { loaded($0) }
    }

    func saveMany(_ saves: [LentSave]) -> [Written] {
        let saves = saves.map { SaveRequest(String(cString: $0.key), [UInt8]($0.record), expected: $0.expected) }
        return checked(waiting { store in try await store.saveMany(saves) }, saves.count).map { written($0) }
    }

    func list(withPrefix prefix: UnsafePointer<CChar>?, after cursor: Bytes) -> Listed {
        Listed(.store, keys: [], cursor: [])
    }

    // MARK: Answers

    private func waiting<Success: Sendable>(
        _ call: @escaping @Sendable (any Store) async throws -> Success
    ) -> Result<Success, any Error> {
        guard let store = store.withLock({ $0 }) else { return .failure(StoreFailure("the handle is closed")) }
        return SKANStoreKit.waiting { try await call(store) }
    }

    private func loaded(_ result: Result<StoredRecord?, any Error>) -> Loaded {
        switch result {
        case .success(let record?): return Loaded(.ok, version: record.version, record.bytes)
        case .success(nil): return Loaded(.notFound, version: 0, [])
        case .failure(let error):
            thrown.note(error)
            return Loaded(.store, version: 0, [])
        }
    }

    private func written(_ result: Result<SaveResult, any Error>) -> Written {
        switch result {
        case .success(.saved(let version)): Written(.ok, version: version)
        case .success(.conflict): Written(.storeConflict, version: 0)
        case .failure(let error): Written(failedWrite(error), version: 0)
        }
    }

    private func failedWrite(_ error: any Error) -> Status {
        thrown.note(error)
        return error is StoreFailure ? .store : .storeUnknown
    }

    /// The results of a call; if their number is wrong, each result is a failure.
    private func checked<Success>(
        _ answered: Result<[Result<Success, any Error>], any Error>, _ count: Int
    ) -> [Result<Success, any Error>] {
        switch answered {
        case .success(let results) where results.count == count: results
        case .success(let results):
            Array(repeating: .failure(WrongCount(results: results.count, of: count)), count: count)
        case .failure(let error): Array(repeating: .failure(error), count: count)
        }
    }
}

/// The error for a store that returned the wrong number of results.
struct WrongCount: Error {
    let results: Int
    let of: Int
}

/// The errors that the store throws, for the reports of laws. Any thread may use this object.
final class ThrownErrors: Sendable {
    private let errors = Mutex<[any Error]>([])

    func note(_ error: any Error) {
        errors.withLock { if $0.count < 8 { $0.append(error) } }
    }

    /// Returns the errors that were thrown since this was last called: the first eight, if there are more.
    func take() -> [any Error] {
        errors.withLock { errors in
            defer { errors = [] }
            return errors
        }
    }
}
