import CSKANSystem
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem
import Synchronization

/// A store with records of a test's own, which nobody can change, and whose calls hang for as long as the test says.
final class Shelf: Sendable {
    let records: [[UInt8]: [UInt8]]
    let hangs = Atomic(false)

    init(_ records: [[UInt8]: [UInt8]]) { self.records = records }

    func opened() throws(Failure) -> RecordStore {
        let settings = PoolSettings(name: "shelf", limit: 1, timeoutMilliseconds: 60_000, hasOneWriter: false)
        return try PooledStore<ShelfConnection>(settings, self, report: nil)
    }

    /// The same as the command opens it.
    func openedByCommand() throws -> OpenStore {
        let description = StoreDescription(schemes: ["shelf:"], timeout: 1, connections: 1, listsEachKeyOnce: false)
        let kind = StoreKind(description) { _, _, _ throws(StoreRefusal) in
            do throws(Failure) { return try self.opened() } catch { throw StoreRefusal(error.message, .found) }
        }
        return try OpenStore.open(CText("shelf:books".utf8), for: .reads, among: [kind])
    }
}

final class ShelfConnection: Connection {
    private let shelf: Shelf
    let isBroken = false
    var deadline: Int64 = 0

    init(_ shelf: Shelf, isFirst: Bool) { self.shelf = shelf }

    func end() {}

    func isStale() -> Bool { false }

    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        while shelf.hangs.load(ordering: .sequentiallyConsistent) { usleep(1000) }
        return shelf.records[[UInt8](key)]?.withUnsafeBytes { take($0, 1) } ?? false
    }

    func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure) {
        for index in items.indices {
            let isFound = try load(items[index].key) { record, _ in take(index, record) }
            items[index].status = isFound ? .ok : .notFound
            items[index].version = 1
        }
    }

    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? { nil }

    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool { false }

    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {}

    /// All keys on a page, and once more on a second one.
    func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        let keys = [UInt8](shelf.records.keys.filter { $0.starts(with: prefix) }.map { $0 + [0] }.joined())
        let next: [UInt8] = cursor.isEmpty ? [UInt8(ascii: "2")] : []
        _ = keys.withUnsafeBytes { keys in next.withUnsafeBytes { take(keys, $0) } }
    }
}

/// The buffer has to live as long as its bytes are read: a parameter does.
func bytes(of buffer: borrowing ByteBuffer) -> [UInt8] { buffer.array }
