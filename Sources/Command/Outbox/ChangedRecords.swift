import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// A record to save, and the store's answer.
struct ChangedRecord {
    let key: [UInt8]
    let bytes: [UInt8]
    /// The version of the record to replace; 0 means that the key must be new.
    let expected: UInt64
    var status = Status.storeUnknown
    var version: UInt64 = 0

    init(_ key: [UInt8], _ bytes: [UInt8], expected: UInt64 = 0) {
        self.key = key
        self.bytes = bytes
        self.expected = expected
    }
}

extension OpenStore {
    /// Saves at most `Limits.batchItems` records with distinct keys in one call, and notes each one's status and
    /// version.
    func save(_ records: inout [ChangedRecord]) {
        let memory = StableBytes(records.flatMap { [$0.key, $0.bytes] })
        var items = records.indices.map { index in
            SaveItem(key: memory[2 * index], record: memory[2 * index + 1], expected: records[index].expected)
        }
        items.withUnsafeMutableBufferPointer { save($0) }
        for index in records.indices {
            records[index].status = items[index].status
            records[index].version = items[index].version
        }
    }
}

/// Copies of texts at fixed addresses, since a store's items point to their bytes.
private final class StableBytes {
    private let memory: UnsafeMutableRawBufferPointer
    private var ends = [0]

    init(_ texts: [[UInt8]]) {
        memory = .allocate(byteCount: texts.reduce(0) { $0 + $1.count }, alignment: 1)
        for text in texts {
            let end = ends[ends.count - 1]
            text.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: $0) }
            ends.append(end + text.count)
        }
    }

    deinit { memory.deallocate() }

    subscript(index: Int) -> Bytes { Bytes(rebasing: memory[ends[index]..<ends[index + 1]]) }
}
