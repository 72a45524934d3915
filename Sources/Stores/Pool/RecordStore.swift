package import SKANCore
package import SKANSystem

/// A store whose calls block. Any thread may call it; its callers are the C hooks and the worker threads of Swift
/// stores.
package class RecordStore: @unchecked Sendable {
    package func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool { false }
    package func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? { nil }
    package func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool { false }
    package func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure) {
    }
    package func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {}
    package func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {}

    init() {}
}

/// A store over a pool of connections. Each call borrows a connection, and each failure of a call is reported.
package final class PooledStore<Lent: Connection>: RecordStore, @unchecked Sendable {
    private let pool: Pool<Lent>
    private let report: ((Failure) -> Void)?

    package convenience init(
        _ settings: PoolSettings, _ connection: Lent.Settings, report: ((Failure) -> Void)?
    ) throws(Failure) {
        self.init(try Pool(settings, connection), report)
    }

    private init(_ pool: Pool<Lent>, _ report: ((Failure) -> Void)?) {
        self.pool = pool
        self.report = report
    }

    deinit { pool.close() }

    @inline(__always)
    private func call<Result>(
        writes: Bool, _ body: (Lent) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do throws(Failure) {
            return try pool.lend(writes: writes, body)
        } catch {
            report?(error)
            throw error
        }
    }

    package override func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool {
        try call(writes: false) { lent throws(Failure) in try lent.load(key, take) }
    }

    package override func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64? {
        try call(writes: true) { lent throws(Failure) in try lent.save(key, record, expected: expected) }
    }

    package override func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool {
        try call(writes: true) { lent throws(Failure) in try lent.remove(key, expected: expected) }
    }

    package override func loadMany(
        _ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool
    ) throws(Failure) {
        try call(writes: false) { lent throws(Failure) in try lent.loadMany(items, take) }
    }

    package override func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure) {
        try call(writes: true) { lent throws(Failure) in try lent.saveMany(items) }
    }

    package override func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure) {
        try call(writes: false) { lent throws(Failure) in
            try lent.list(beginningWith: prefix, after: cursor, take)
        }
    }
}
