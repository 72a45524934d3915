package import SKANCore
import SKANStorePool
package import SKANSystem

/// A batch of up to `Limits.batchItems` records: their distinct keys and, once loaded, their contents. Its memory does
/// not depend on the size of the store. The bytes that it returns are valid until it changes.
package final class RecordBatch {
    private var keys = ByteBuffer(capacity: 65_536)
    private var keyRanges: [Range<Int>] = []
    /// A hash table of the keys. A slot has the key's index plus 1; 0 means free.
    private var slots = [UInt16](repeating: 0, count: Limits.batchItems * 2)
    private var records = ByteBuffer(capacity: 65_536)
    private var recordRanges: [Range<Int>] = []
    private var loaded: [(status: Status, version: UInt64)] = []
    /// The store's message if some of the records could not be loaded.
    private(set) var failure: Message?

    package init() {}

    package var count: Int { keyRanges.count }
    package var isFull: Bool { count == Limits.batchItems }

    package func key(_ index: Int) -> Bytes { keys.lent(keyRanges[index]) }
    /// The status of the last load of the record with this index: `.ok`, `.notFound` or `.store`.
    package func status(_ index: Int) -> Status { loaded[index].status }
    package func version(_ index: Int) -> UInt64 { loaded[index].version }
    package func record(_ index: Int) -> Bytes { records.lent(recordRanges[index]) }

    package func loaded(_ index: Int) -> LoadedRecord {
        LoadedRecord(status: status(index), version: version(index), bytes: [UInt8](record(index)))
    }

    package func removeAll() {
        if count > 0 { slots = [UInt16](repeating: 0, count: slots.count) }
        keys.removeAll()
        records.removeAll()
        keyRanges.removeAll(keepingCapacity: true)
        recordRanges.removeAll(keepingCapacity: true)
        loaded.removeAll(keepingCapacity: true)
    }

    /// Copies a key into the batch; returns false if it is already there or the batch is full.
    package func add(_ key: Bytes) -> Bool {
        if isFull { return false }
        var slot = slotHash(key) % slots.count
        while slots[slot] != 0 {
            if self.key(Int(slots[slot]) - 1).elementsEqual(key) { return false }
            slot = (slot + 1) % slots.count
        }
        let start = keys.count
        keys.append(key)
        keyRanges.append(start..<keys.count)
        recordRanges.append(0..<0)
        loaded.append((.store, 0))
        slots[slot] = UInt16(count)
        return true
    }

    package func load(from store: OpenStore) {
        if count == 0 { return }
        records.removeAll()
        failure = nil
        var ranges = [Range<Int>](repeating: 0..<0, count: count)
        var items = (0..<count).map { LoadItem(key: key($0)) }
        items.withUnsafeMutableBufferPointer { items in
            do throws(Failure) {
                try store.records.loadMany(items) { index, record in
                    guard ranges.indices.contains(index), record.count <= Limits.bufferBytes else { return false }
                    ranges[index] = records.count..<records.count + record.count
                    records.append(record)
                    return true
                }
            } catch {
                failure = error.message
            }
        }
        recordRanges = ranges
        loaded = items.map { (loadStatus($0.status, $0.version), $0.version) }
    }
}

/// The FNV-1a hash of the key.
private func slotHash(_ key: Bytes) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) >> 1)
}
