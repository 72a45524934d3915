import SKAN
import SKANStoreKit

/// A store of the game's own: an actor with a dictionary.
actor DictionaryStore: Store {
    private var records: [[UInt8]: StoredRecord] = [:]
    private var newestVersion: UInt64 = 0

    func load(_ key: String) -> StoredRecord? { records[Array(key.utf8)] }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) -> SaveResult {
        guard records[Array(key.utf8)]?.version ?? 0 == expected else { return .conflict }
        newestVersion += 1
        records[Array(key.utf8)] = StoredRecord(record, version: newestVersion)
        return .saved(version: newestVersion)
    }

    func remove(_ key: String, expected: UInt64) -> RemoveResult {
        guard let record = records[Array(key.utf8)], record.version == expected else { return .conflict }
        records[Array(key.utf8)] = nil
        return .removed
    }
}

@main
struct Prover {
    struct Broken: Error {}

    static func main() async throws {
        let store = DictionaryStore()
        let results = try await StoreKit.run(isDurable: false, isShared: true) { store }
        for result in results { print(result) }
        guard !results.isEmpty, results.allSatisfy(\.holds) else { throw Broken() }
    }
}
