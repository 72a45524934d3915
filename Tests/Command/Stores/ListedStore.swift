import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// What a store of these tests has: pages of keys, and what its calls answer.
struct ListedKeys: Sendable {
    var pages: [[String]] = []
    /// The end of the listing's page of this number.
    var failingPage: Int?
    /// Keys that cannot be loaded, and those that are gone.
    var failing: Set<String> = []
    var missing: Set<String> = []
}

typealias ListedStore = PooledStore<ListedConnection>

final class ListedConnection: Connection {
    private let listed: ListedKeys
    var deadline: Int64 = 0

    init(_ settings: ListedKeys, isFirst: Bool) { listed = settings }

    func end() {}
    var isBroken: Bool { false }
    func isStale() -> Bool { false }

    /// The record of a key is its own name, of version 1.
    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        let name = String(decoding: key, as: UTF8.self)
        if listed.failing.contains(name) { throw Failure(.store, "the disk is gone") }
        return !listed.missing.contains(name) && take(key, 1)
    }

    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? { nil }

    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        throw Failure(.storeUnknown, "nobody knows")
    }

    func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure) {
        var failed: Failure?
        for index in items.indices {
            do throws(Failure) {
                let isThere = try load(items[index].key) { record, version in
                    items[index].version = version
                    return take(index, record)
                }
                items[index].status = isThere ? .ok : .notFound
            } catch { failed = error }
        }
        if let failed { throw failed }
    }

    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {}

    func list(after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool) throws(Failure) {
        let number = Int(cursor.first ?? 0)
        if number == listed.failingPage { throw Failure(.store, "the disk is gone") }
        let keys: [UInt8] = listed.pages[number].flatMap { Array($0.utf8) + [0] }
        let next = number + 1 < listed.pages.count ? [UInt8(number + 1)] : []
        _ = keys.withUnsafeBytes { keys in next.withUnsafeBytes { take(keys, $0) } }
    }
}

/// The store as the command opens it.
func opened(_ listed: ListedKeys, canList: Bool = true) throws(CommandEnd) -> OpenStore {
    var description = StoreDescription(schemes: ["test:"], timeout: 1, connections: 1, listsEachKeyOnce: false)
    description.canList = canList
    let kind = StoreKind(description) { _, _, report throws(StoreRefusal) in
        let pool = PoolSettings(name: "test", limit: 1, timeoutMilliseconds: 1000, hasOneWriter: false)
        do throws(Failure) {
            return try ListedStore(pool, listed, report: report)
        } catch {
            throw StoreRefusal(error.message, .found)
        }
    }
    return try OpenStore.open(CText("test:x".utf8), for: .reads, among: [kind])
}
