import SKAN
import SKANCore
import SKANStorePool
import SKANStoreThreads
import SKANSystem
import Synchronization

/// A store whose connections do what a test says, on whichever thread they run.
final class HandMadeStore: Sendable {
    /// What calls fail with; nil: they find no record, or a conflict.
    let failure = Mutex<Failure?>(nil)
    /// Runs before each call's end.
    let before: @Sendable () -> Void
    let calls = Atomic(0)
    /// Connections.
    let opened = Atomic(0)
    let ended = Atomic(0)
    /// Whether connections are broken once a call has used them.
    let areBroken = Atomic(false)
    /// Whether connections are stale when they are lent again.
    let areStale = Atomic(false)
    /// Opening one fails.
    let refuses = Atomic(false)

    init(before: @escaping @Sendable () -> Void = {}) { self.before = before }

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

    private func answer() throws(Failure) {
        hand.calls.add(1, ordering: .sequentiallyConsistent)
        hand.before()
        isBroken = hand.areBroken.load(ordering: .sequentiallyConsistent)
        if let failure = hand.failure.withLock({ $0 }) { throw failure }
    }

    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        try answer()
        return false
    }

    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? {
        try answer()
        return nil
    }

    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        try answer()
        return false
    }

    func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure) {
        try answer()
    }

    /// All but the last one are saved, whatever becomes of that.
    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        for index in items.indices {
            items[index].status = .ok
            items[index].version = 3
        }
        let last = items.count - 1
        items[last].status = .storeUnknown
        try answer()
        items[last].status = .storeConflict
    }

    func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        try answer()
    }
}

extension Failure {
    var words: String { String(decoding: message.utf8, as: UTF8.self) }
}
