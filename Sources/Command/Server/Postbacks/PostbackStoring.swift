import SKANCommandStores
import SKANCore
import SKANEngine
import SKANPostbackReceiving
import SKANStorePool
import SKANSystem

/// Rules, "Receiving postbacks": performs the loads and saves that a reception requests on a store. Concurrent saves of
/// several threads are combined.
final class PostbackStoring: BlockingStore, @unchecked Sendable {
    private let records: RecordStore
    private let saver: GroupSaver<SaveItem>
    private let health: StoreHealth

    init(_ records: RecordStore, _ health: StoreHealth) {
        self.records = records
        self.health = health
        saver = GroupSaver(upTo: Limits.batchItems) {
            $0.key.elementsEqual($1.key)
        } save: { items in
            let start = microsecondsNow()
            // The error needs no handling: each item has its own status, and the store has already reported the
            // message.
            do throws(Failure) { try records.saveMany(items) } catch {}
            health.times.add(.save, microseconds: microsecondsNow() - start)
        }
    }

    /// May be called on any thread.
    func store(_ reception: Reception) throws(Failure) {
        reception.begin()
        drive(reception)
        if let failure = reception.failure { throw failure }
    }

    func next(_ reception: Reception) -> StoreStep { reception.next() }

    func save(_ reception: Reception) { reception.saved(save(reception.key(), reception.recordBytes())) }

    /// Never called, because a reception removes nothing.
    func remove(_ reception: Reception) {}

    /// Saves a record under a key that must be new.
    private func save(_ key: borrowing ByteBuffer, _ record: borrowing ByteBuffer) -> Status {
        let saved = key.withBytes { key in
            record.withBytes { saver.save(SaveItem(key: key, record: $0, expected: 0)) }
        }
        health.wrote(saved.status == .ok || saved.status == .storeConflict)
        switch saved.status {
        case .ok: return saved.version != 0 ? .ok : .storeUnknown
        case .storeConflict, .store: return saved.status
        default: return .storeUnknown
        }
    }

    func load(_ reception: Reception) {
        var found: (record: [UInt8], version: UInt64)?
        let start = microsecondsNow()
        defer { health.times.add(.load, microseconds: microsecondsNow() - start) }
        do throws(Failure) {
            let isThere = try reception.key().withBytes { key throws(Failure) in
                try records.load(key) { record, version in
                    found = ([UInt8](record), version)
                    return true
                }
            }
            if !isThere { return reception.loaded(nil, version: 0) }
        } catch {
            return reception.loadFailed()
        }
        guard let found, found.version != 0 else { return reception.loadFailed() }
        found.record.withUnsafeBytes { reception.loaded($0, version: found.version) }
    }
}
