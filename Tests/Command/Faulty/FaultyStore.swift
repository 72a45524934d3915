import CSKANSystem
import SKANCore
import SKANStorePool
import SKANSystem

/// A store that has accidents. Its connections pass the other calls on to a real store.
typealias FaultyStore = PooledStore<FaultyConnection>

final class FaultyConnection: Connection {
    private let real: RecordStore
    /// The last page that list-twice repeated.
    private var pageBefore: [UInt8] = []
    var deadline: Int64 = 0

    init(_ settings: RecordStore, isFirst: Bool) { real = settings }

    func end() { if Accidents.isDue("end-hangs") { sleep(600) } }
    var isBroken: Bool { false }
    func isStale() -> Bool { false }

    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        if Accidents.isDue("load-fails") { throw Accidents.failure(.store) }
        if Accidents.isDue("load-gone") { return false }
        if Accidents.isDue("interrupt") { raise(SIGINT) }
        return try real.load(key, take)
    }

    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? {
        if Accidents.isDue("save-fails") { throw Accidents.failure(.store) }
        if Accidents.isDue("save-late") { try change(key, expected: expected) }
        if Accidents.isDue("save-lost") { throw Accidents.failure(.storeUnknown) }
        let version = try real.save(key, record, expected: expected)
        if Accidents.isDue("save-made") { throw Accidents.failure(.storeUnknown) }
        return version
    }

    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        if Accidents.isDue("remove-late") { try change(key, expected: expected) }
        if Accidents.isDue("remove-lost") { throw Accidents.failure(.storeUnknown) }
        let isRemoved = try real.remove(key, expected: expected)
        if Accidents.isDue("remove-made") { throw Accidents.failure(.storeUnknown) }
        return isRemoved
    }

    private func change(_ key: Bytes, expected: UInt64) throws(Failure) {
        let record = Accidents.lateRecord()
        let version = try record.withUnsafeBufferPointer { record throws(Failure) in
            try real.save(key, Bytes(record), expected: expected)
        }
        if version == nil { Accidents.fail("a late change met another") }
    }

    func loadMany(
        _ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        var failed: Failure?
        for index in items.indices {
            do throws(Failure) {
                let isThere = try load(items[index].key) { record, version in
                    items[index].version = version
                    return take(index, record)
                }
                items[index].status = isThere ? .ok : .notFound
            } catch {
                items[index].status = error.status
                failed = error
            }
        }
        if let failed { throw failed }
    }

    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        var failed: Failure?
        for index in items.indices {
            let item = items[index]
            do throws(Failure) {
                let version = try save(item.key, item.record, expected: item.expected)
                items[index].status = version == nil ? .storeConflict : .ok
                items[index].version = version ?? 0
            } catch {
                items[index].status = error.status
                failed = error
            }
        }
        if let failed { throw failed }
    }

    /// With list-twice, a page has each of its keys twice, after the keys of the last such page.
    func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        if Accidents.isDue("list-fails") { throw Accidents.failure(.store) }
        var page: [UInt8] = []
        var next: [UInt8] = []
        try real.list(beginningWith: prefix, after: cursor) { keys, following in
            page = [UInt8](keys)
            next = [UInt8](following)
            return true
        }
        var shown = page
        if Accidents.isDue("list-twice") {
            shown = pageBefore + page + page
            pageBefore = page
        }
        let isTaken = shown.withUnsafeBytes { keys in next.withUnsafeBytes { take(keys, $0) } }
        if !isTaken { throw Accidents.failure(.store) }
    }
}
