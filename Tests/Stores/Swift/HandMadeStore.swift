import SKAN
import SKANCore
import SKANStorePool
import SKANStoreThreads
import SKANSystem
import Synchronization

/// A store whose connections do what a test says, on whichever thread they run.
final class HandMadeStore: Sendable {
    /// How calls end.
    enum End: Sendable {
        case found(version: UInt64)
        /// No record, or a conflict.
        case none
        case failed(Status, Message)
    }

    let end: Mutex<End>
    /// Runs before each call's end.
    let before: @Sendable () -> Void
    let calls = Atomic(0)
    /// Connections.
    let opened = Atomic(0)
    let ended = Atomic(0)
    /// Of connections, once a call has used them.
    let areBroken = Atomic(false)
    /// Of connections, when they are lent again.
    let areStale = Atomic(false)
    /// Opening one fails.
    let refuses = Atomic(false)

    init(_ end: End = .none, before: @escaping @Sendable () -> Void = {}) {
        self.end = Mutex(end)
        self.before = before
    }

    func pooled(
        limit: UInt32 = 2, timeout: UInt32 = 5000, hasOneWriter: Bool = false
    ) throws(Failure) -> PooledStore<HandMadeConnection> {
        let settings = PoolSettings(
            name: "hand", limit: limit, timeoutMilliseconds: timeout, hasOneWriter: hasOneWriter)
        return try PooledStore(settings, self, report: nil)
    }

    func companion(threads: UInt32 = 2) throws -> CompanionStore {
        try CompanionStore(threads: threads, report: nil) { _ throws(Failure) in try pooled(limit: threads) }
    }
}

final class HandMadeConnection: Connection {
    private let hand: HandMadeStore
    private(set) var isBroken = false
    var deadline: Int64 = 0

    init(_ hand: HandMadeStore, isFirst: Bool) throws(Failure) {
        if hand.refuses.load(ordering: .sequentiallyConsistent) { throw Failure(.store, "no connection") }
        self.hand = hand
        hand.opened.add(1, ordering: .sequentiallyConsistent)
    }

    func end() { hand.ended.add(1, ordering: .sequentiallyConsistent) }

    func isStale() -> Bool { hand.areStale.load(ordering: .sequentiallyConsistent) }

    /// The version of what was found or made; nil: there is no record, or a conflict.
    private func answer() throws(Failure) -> UInt64? {
        hand.calls.add(1, ordering: .sequentiallyConsistent)
        hand.before()
        isBroken = hand.areBroken.load(ordering: .sequentiallyConsistent)
        switch hand.end.withLock({ $0 }) {
        case .found(let version): return version
        case .none: return nil
        case .failed(let status, let words): throw Failure(status, words)
        }
    }

    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        guard let version = try answer() else { return false }
        var byte: UInt8 = 1
        _ = withUnsafeBytes(of: &byte) { take($0, version) }
        return true
    }

    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? { try answer() }

    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool { try answer() != nil }

    /// What is said of all items is true of the last one; those before it are found.
    func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure) {
        var byte: UInt8 = 1
        for index in items.indices {
            items[index].status = .ok
            items[index].version = 3
            guard index == items.count - 1 else {
                _ = withUnsafeBytes(of: &byte) { take(index, $0) }
                continue
            }
            items[index].status = .store
            items[index].status = try answer() == nil ? .notFound : .ok
        }
    }

    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        for index in items.indices {
            items[index].status = .ok
            items[index].version = 3
        }
        let last = items.count - 1
        items[last].status = .storeUnknown
        items[last].status = try answer() == nil ? .storeConflict : .ok
    }

    func list(after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool) throws(Failure) {
        _ = try answer()
    }
}

extension Failure {
    var words: String { String(decoding: message.utf8, as: UTF8.self) }
}
