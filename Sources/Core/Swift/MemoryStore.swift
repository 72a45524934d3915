internal import SKANCore
internal import SKANEngine

/// A store in memory, for tests, and for games that keep their installs elsewhere with ``Engine/details(_:)`` and
/// import.
///
/// An engine works on it directly, without copying records and without conflicts. Several engines may share one, and it
/// can be used like any other ``Store``. When the object is released, its records are lost.
public final class MemoryStore: Store {
    let records = MemoryRecords()

    public init() {}

    deinit { records.destroy() }

    public func load(_ key: String) -> StoredRecord? {
        withBytes(key) { key in
            records.withRecord(key) { found in
                found.map { StoredRecord([UInt8]($0.record), version: $0.version) }
            }
        }
    }

    /// Saves a record, as ``Store`` describes.
    ///
    /// - Throws: ``StoreFailure`` for a key that is too long, and for bytes that are not an undamaged record of
    ///   libskan.
    public func save(_ key: String, _ record: [UInt8], expected: UInt64) throws -> SaveResult {
        guard key.utf8.count <= Limits.installIDBytes else {
            throw StoreFailure("expected a key of at most \(Limits.installIDBytes) bytes, got \(key.utf8.count)")
        }
        guard isRecord(record) else {
            throw StoreFailure("expected a record that this libskan reads, got \(record.count) other bytes")
        }
        let version = withBytes(key) { key in
            record.withUnsafeBytes { records.save(key, $0, expected: expected) }
        }
        return version.map { .saved(version: $0) } ?? .conflict
    }

    public func remove(_ key: String, expected: UInt64) -> RemoveResult {
        withBytes(key) { records.remove($0, expected: expected) } ? .removed : .conflict
    }

    private func withBytes<Result>(_ key: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var key = key
        return key.withUTF8 { body(UnsafeRawBufferPointer($0)) }
    }
}

/// Whether the bytes are an undamaged record. A memory store must check this on saving, because engines that work on it
/// directly trust its records.
private func isRecord(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
        var state = InstallState(.skan4)
        do throws(Failure) {
            try Record.read(bytes, isOwn: false, into: &state)
            return true
        } catch {
            return false
        }
    }
}
