import SKAN
import Synchronization

/// A store over another one whose next calls answer as a test wants it; after those it answers as the other one.
final class ScriptedStore: Store {
    typealias Load = @Sendable (_ base: any Store, _ key: String) async throws -> StoredRecord?
    typealias Save =
        @Sendable (
            _ base: any Store, _ key: String, _ record: [UInt8], _ expected: UInt64
        ) async throws -> SaveResult
    typealias Remove = @Sendable (_ base: any Store, _ key: String, _ expected: UInt64) async throws -> RemoveResult

    struct Script: Sendable {
        var loads: [Load] = []
        var saves: [Save] = []
        var removes: [Remove] = []
    }

    /// How often each hook was called.
    struct Calls: Equatable {
        var loads = 0
        var saves = 0
        var removes = 0
    }

    let base: any Store
    private let script: Mutex<Script>
    private let counted = Mutex(Calls())

    init(over base: any Store = HostStore(), _ script: Script = Script()) {
        self.base = base
        self.script = Mutex(script)
    }

    var calls: Calls { counted.withLock { $0 } }

    /// What the next calls answer, the count of calls begins anew.
    func play(_ script: Script) {
        self.script.withLock { $0 = script }
        counted.withLock { $0 = Calls() }
    }

    func load(_ key: String) async throws -> StoredRecord? {
        counted.withLock { $0.loads += 1 }
        let step = script.withLock { $0.loads.isEmpty ? nil : $0.loads.removeFirst() }
        guard let step else { return try await base.load(key) }
        return try await step(base, key)
    }

    func save(_ key: String, _ record: [UInt8], expected: UInt64) async throws -> SaveResult {
        counted.withLock { $0.saves += 1 }
        let step = script.withLock { $0.saves.isEmpty ? nil : $0.saves.removeFirst() }
        guard let step else { return try await base.save(key, record, expected: expected) }
        return try await step(base, key, record, expected)
    }

    func remove(_ key: String, expected: UInt64) async throws -> RemoveResult {
        counted.withLock { $0.removes += 1 }
        let step = script.withLock { $0.removes.isEmpty ? nil : $0.removes.removeFirst() }
        guard let step else { return try await base.remove(key, expected: expected) }
        return try await step(base, key, expected)
    }
}

/// What a store throws that cannot tell whether a write was applied.
struct TimeOut: Error {}

/// The faults of the store contract.
extension ScriptedStore {
    static let saveConflicts: Save = { _, _, _, _ in .conflict }
    static let saveFails: Save = { _, _, _, _ in throw StoreFailure("the disk is full") }
    static let saveIsLost: Save = { _, _, _, _ in throw TimeOut() }
    static let saveIsAppliedThenTimesOut: Save = { base, key, record, expected in
        _ = try await base.save(key, record, expected: expected)
        throw TimeOut()
    }

    static let loadFails: Load = { _, _ in throw TimeOut() }

    static let removeConflicts: Remove = { _, _, _ in .conflict }
    static let removeFails: Remove = { _, _, _ in throw StoreFailure("the connection was refused") }
    static let removeIsLost: Remove = { _, _, _ in throw TimeOut() }
    static let removeIsAppliedThenTimesOut: Remove = { base, key, expected in
        _ = try await base.remove(key, expected: expected)
        throw TimeOut()
    }
}
