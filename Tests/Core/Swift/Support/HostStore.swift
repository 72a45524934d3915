import SKAN

/// A host's store: an actor with a dictionary, as the documentation of `Store` shows it.
actor HostStore: Store {
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

    /// The test's own hand: bytes under a key, whatever was there.
    func put(_ key: String, _ bytes: [UInt8]) {
        newestVersion += 1
        records[Array(key.utf8)] = StoredRecord(bytes, version: newestVersion)
    }
}
