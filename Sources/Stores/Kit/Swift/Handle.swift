internal import CSKAN
internal import SKAN

/// What hooks answer, in the type that they have.
enum Answer {
    static let ok = skan_status(SKAN_OK)
    static let notFound = skan_status(SKAN_NOT_FOUND)
    static let conflict = skan_status(SKAN_ERROR_STORE_CONFLICT)
    static let failed = skan_status(SKAN_ERROR_STORE)
    static let unknown = skan_status(SKAN_ERROR_STORE_UNKNOWN)
}

/// A store of Swift as one of C: the context of its hooks.
final class Handle: Sendable {
    private let store: any Store
    private let run: KitRun

    init(_ store: any Store, _ run: KitRun) {
        self.store = store
        self.run = run
    }

    /// The hooks hold the handle until `finalize`.
    func hooks() -> skan_store {
        var hooks = skan_store()
        hooks.size = MemoryLayout<skan_store>.size
        hooks.context = Unmanaged.passRetained(self).toOpaque()
        hooks.load = { context, key, out, version in
            guard let handle = handle(context), let key, let version else { return Answer.failed }
            return handle.load(String(cString: key), out, version)
        }
        hooks.save = { context, key, data, length, expected, version in
            guard let handle = handle(context), let key, let version else { return Answer.failed }
            let record = [UInt8](UnsafeRawBufferPointer(start: data, count: length))
            return handle.save(String(cString: key), record, expected, version)
        }
        hooks.remove = { context, key, expected in
            guard let handle = handle(context), let key else { return Answer.failed }
            return handle.remove(String(cString: key), expected)
        }
        hooks.load_many = { context, items, count in
            guard let handle = handle(context), let items else { return }
            handle.loadMany(UnsafeMutableBufferPointer(start: items, count: count))
        }
        hooks.save_many = { context, items, count in
            guard let handle = handle(context), let items else { return }
            handle.saveMany(UnsafeMutableBufferPointer(start: items, count: count))
        }
        hooks.finalize = { context in
            if let context { Unmanaged<Handle>.fromOpaque(context).release() }
        }
        return hooks
    }

    private func load(_ key: String, _ out: OpaquePointer?, _ version: UnsafeMutablePointer<UInt64>) -> skan_status {
        answer(waiting { [store] in try await store.load(key) }, out, &version.pointee)
    }

    private func answer(
        _ loaded: Result<StoredRecord?, any Error>, _ out: OpaquePointer?, _ version: inout UInt64
    ) -> skan_status {
        switch loaded {
        case .success(let record?):
            version = record.version
            return record.bytes.withUnsafeBytes { skan_buffer_set(out, $0.baseAddress, $0.count) }
        case .success(nil):
            return Answer.notFound
        case .failure(let error):
            run.note(error)
            return Answer.failed
        }
    }

    private func save(
        _ key: String, _ record: [UInt8], _ expected: UInt64, _ version: UnsafeMutablePointer<UInt64>
    ) -> skan_status {
        answer(waiting { [store] in try await store.save(key, record, expected: expected) }, &version.pointee)
    }

    private func answer(_ saved: Result<SaveResult, any Error>, _ version: inout UInt64) -> skan_status {
        switch saved {
        case .success(.saved(let new)):
            version = new
            return Answer.ok
        case .success(.conflict):
            return Answer.conflict
        case .failure(let error):
            return failed(error)
        }
    }

    private func remove(_ key: String, _ expected: UInt64) -> skan_status {
        switch waiting({ [store] in try await store.remove(key, expected: expected) }) {
        case .success(.removed): Answer.ok
        case .success(.conflict): Answer.conflict
        case .failure(let error): failed(error)
        }
    }

    /// A wrong number of results is a failure of all.
    private func loadMany(_ items: UnsafeMutableBufferPointer<skan_load_item>) {
        let keys = items.map { String(cString: $0.key) }
        let results = checked(waiting { [store] in try await store.loadMany(keys) }, items.count)
        for (index, result) in results.enumerated() {
            items[index].status = answer(result, items[index].out, &items[index].version)
        }
    }

    private func saveMany(_ items: UnsafeMutableBufferPointer<skan_save_item>) {
        let saves = items.map { item in
            SaveRequest(
                String(cString: item.key), [UInt8](UnsafeRawBufferPointer(start: item.data, count: item.length)),
                expected: item.expected_version)
        }
        let results = checked(waiting { [store] in try await store.saveMany(saves) }, items.count)
        for (index, result) in results.enumerated() {
            items[index].status = answer(result, &items[index].new_version)
        }
    }

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

    private func failed(_ error: any Error) -> skan_status {
        run.note(error)
        return error is StoreFailure ? Answer.failed : Answer.unknown
    }
}

/// A store answered another number of results than it was asked for.
struct WrongCount: Error {
    let results: Int
    let of: Int
}

private func handle(_ context: UnsafeMutableRawPointer?) -> Handle? {
    context.map { Unmanaged<Handle>.fromOpaque($0).takeUnretainedValue() }
}
