import SKAN
import SKANCore
import SKANStoreKit
import Synchronization
import Testing

/// The kit on the in-memory store.
struct MemoryStoreTests {
    @Test
    func itKeepsEveryLaw() async throws {
        var kit = StoreKit(isDurable: false, isShared: true)
        kit.prefix = ""
        kit.rounds = 20
        kit.steps = 300
        let store = NumberedBytes()
        let results = try await kit.run { store }
        #expect(results.count > 20)
        for result in results { #expect(result.holds, "\(result)") }
    }
}

/// The in-memory store takes only records of installs, the kit saves bytes of any sort: these stand aside under a
/// number, and the store holds a record with that number as its newest ticket. Versions, keys and conflicts are the
/// store's.
private final class NumberedBytes: Store {
    private let store = SKAN.MemoryStore()
    private let bytes = Mutex<[[UInt8]]>([])

    func load(_ key: String) async throws -> StoredRecord? {
        guard let stored = store.load(key) else { return nil }
        var state = InstallState(.skan4)
        try stored.bytes.withUnsafeBytes { try Record.read($0, isOwn: false, into: &state) }
        let number = Int(state.conversion.newestTicket)
        return StoredRecord(bytes.withLock { $0[number - 1] }, version: stored.version)
    }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
        var state = InstallState(.skan4)
        state.conversion.newestTicket = bytes.withLock { bytes in
            bytes.append(record)
            return UInt64(bytes.count)
        }
        let stored = [UInt8](unsafeUninitializedCapacity: Record.sizeBound(state)) { memory, count in
            if let base = memory.baseAddress { count = Record.write(&state, isOwn: false, to: base) }
        }
        return try store.save(key, stored, expected: expected)
    }

    func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
        store.remove(key, expected: expected)
    }
}
