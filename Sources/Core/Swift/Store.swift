/// Durable storage of records, one per install id. A record is opaque bytes with a version.
///
/// What a store must guarantee:
/// - **Versions.** Version 0 means "no record". Every save gives the record another version, even if the bytes are
///   equal, and *a version is never used twice for a key*, not even after a remove: take it from a counter of the whole
///   store, or draw it at random.
/// - **Compare and set.** A save or remove with another version than the stored one changes nothing and is a conflict.
///   This is the only lock there is: any number of tasks, engines and processes may work on the same install.
/// - **Keys are bytes.** Keys are the UTF-8 of 1...128 bytes without 00–1F and 7F, as the host gave them. Two apps that
///   share a store need a prefix. Different bytes may make `String`s that look alike and that Swift calls equal ("é" as
///   one scalar or two), so a dictionary needs `Array(key.utf8)` as its key.
/// - **Records** have 1...32768 bytes and are loaded exactly as they were saved.
/// - **Truth about failures.** The error that a hook throws says whether the change was applied; each hook says how. If
///   a hook is not sure, it must say that the change may have been applied: a wrong "not applied" counts a purchase
///   twice.
///
/// Hooks are called from any task, several at once; no lock is held meanwhile. Calls that change one install take
/// turns, but a call that takes long loses its turn, and calls that only read take none. So hooks may be called at once
/// for the same key, too. If a hook calls its own engine, from its own task or a child of it, that call throws
/// ``SKANError/Code/misuse``.
///
/// An actor with a dictionary is such a store:
///
///     actor DictionaryStore: Store {
///         private var records: [[UInt8]: StoredRecord] = [:]
///         private var newestVersion: UInt64 = 0
///
///         func load(_ key: String) -> StoredRecord? { records[Array(key.utf8)] }
///
///         func save(_ key: String, _ record: [UInt8], expected: UInt64) -> SaveResult {
///             guard records[Array(key.utf8)]?.version ?? 0 == expected else { return .conflict }
///             newestVersion += 1
///             records[Array(key.utf8)] = StoredRecord(record, version: newestVersion)
///             return .saved(version: newestVersion)
///         }
///
///         func remove(_ key: String, expected: UInt64) -> RemoveResult {
///             guard let record = records[Array(key.utf8)], record.version == expected else { return .conflict }
///             records[Array(key.utf8)] = nil
///             return .removed
///         }
///     }
public protocol Store: Sendable {
    /// The record of a key; nil if there is none.
    ///
    /// - Throws: Any error means that the store failed (``SKANError/Code/store``). The call passes on
    ///   `CancellationError`.
    func load(_ key: String) async throws -> StoredRecord?

    /// Stores a record if the stored version is `expected`, or, if that is 0, if there is no record.
    ///
    /// - Throws: ``StoreFailure`` if the save was certainly not applied. Any other error, including
    ///   `CancellationError`, means that it may have been applied, for example after a time-out: the engine then looks
    ///   for its write. The engine's message contains the message of a ``SKANError``, but only the type of any other
    ///   error.
    func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult

    /// Removes the record if its version is `expected`, which is never 0.
    ///
    /// - Throws: The same as ``save(_:_:expected:)``.
    func remove(_ key: String, expected: UInt64) async throws -> RemoveResult

    /// Loads many records in one round trip. The result for each key is that of ``load(_:)``, independent of the other
    /// keys. The default implementation loads one record after the other.
    ///
    /// - Parameter keys: 1...1024 distinct keys.
    /// - Returns: One result for each key, in the order of the keys. With any other number of results, every load
    ///   counts as failed.
    /// - Throws: An error that is then the result of every key.
    func loadMany(_ keys: [String]) async throws -> [Result<StoredRecord?, any Error>]

    /// Saves many records in one round trip. The result of each save is that of ``save(_:_:expected:)``, independent of
    /// the other saves. The default implementation saves one record after the other.
    ///
    /// - Parameter saves: 1...1024 saves with distinct keys.
    /// - Returns: One result for each save, in the order of the saves. With any other number of results, every save
    ///   counts as one that may have been applied.
    /// - Throws: An error that is then the result of every save; ``StoreFailure`` if none of them was applied.
    func saveMany(_ saves: [SaveRequest]) async throws -> [Result<SaveResult, any Error>]
}

extension Store {
    public func loadMany(_ keys: [String]) async throws -> [Result<StoredRecord?, any Error>] {
        await results(of: keys) { try await load($0) }
    }

    public func saveMany(_ saves: [SaveRequest]) async throws -> [Result<SaveResult, any Error>] {
        await results(of: saves) { try await save($0.key, $0.record, expected: $0.expected) }
    }
}

private func results<Item, Value>(
    of items: [Item], _ call: (Item) async throws -> Value
) async -> [Result<Value, any Error>] {
    var results: [Result<Value, any Error>] = []
    results.reserveCapacity(items.count)
    for item in items {
        do {
            results.append(.success(try await call(item)))
        } catch {
            results.append(.failure(error))
        }
    }
    return results
}

/// One of many saves: the arguments of ``Store/save(_:_:expected:)``.
public struct SaveRequest: Hashable, Sendable {
    public var key: String
    public var record: [UInt8]
    /// The version that the save replaces; 0 if there is no record.
    public var expected: UInt64

    public init(_ key: String, _ record: [UInt8], expected: UInt64) {
        self.key = key
        self.record = record
        self.expected = expected
    }
}

/// A record with its version, as a store holds it.
public struct StoredRecord: Hashable, Sendable {
    public var bytes: [UInt8]
    /// The version, which is never 0.
    public var version: UInt64

    public init(_ bytes: [UInt8], version: UInt64) {
        self.bytes = bytes
        self.version = version
    }
}

/// The result of a save that did not fail.
public enum SaveResult: Hashable, Sendable {
    /// The record is stored under a new version, neither 0 nor the expected one.
    case saved(version: UInt64)
    /// Another version is stored, or there is no record although one was expected. Nothing was changed.
    case conflict
}

/// The result of a remove that did not fail.
public enum RemoveResult: Hashable, Sendable {
    case removed
    /// Another version is stored, or there is no record. Nothing was changed.
    case conflict
}

/// The error for a save or a remove that was certainly not applied: the connection was refused, the disk is full.
public struct StoreFailure: Error, Sendable {
    /// The text, which becomes part of the ``SKANError``'s message. It must not hold secrets.
    public let message: String
    /// The cause, if there is one. The engine's call passes on a `CancellationError`.
    public let underlying: (any Error)?

    public init(_ message: String, underlying: (any Error)? = nil) {
        self.message = message
        self.underlying = underlying
    }
}
