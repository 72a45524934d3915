package import SKANCore
package import SKANSystem

/// A connection to a store's database or server. Only one thread uses it at a time.
package protocol Connection: AnyObject {
    associatedtype Settings

    /// `isFirst`: whether this is a store's first connection, which may create the tables that it needs.
    init(_ settings: Settings, isFirst: Bool) throws(Failure)

    /// Closes the connection. The object may live on, because the call that borrowed it may still refer to it.
    func end()

    /// Gives up the sessions that timed out. A server may still be busy with them, so `hold` reserves one place of the
    /// pool for each session until the server has ended it. If `sparesLast` is true, `hold` does not reserve the last
    /// place of the pool. A connection passes true if it has found a server that answers.
    func endLate(_ hold: (_ sparesLast: Bool) -> HeldPlace?)

    /// Whether the connection must be closed instead of being lent again.
    var isBroken: Bool { get }
    /// The deadline of the call that borrowed the connection, on the clock of `millisecondsNow`.
    var deadline: Int64 { get set }
    /// Whether the connection must be replaced before it is lent.
    func isStale() -> Bool

    /// Passes the record of a key to `take`, which returns false if it cannot store the record. Returns false if there
    /// is no record.
    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool
    /// Returns the new version, or nil for a conflict.
    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64?
    /// Returns false for a conflict.
    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool
    /// Loads many records and sets the status of every item. If any item failed, throws a failure for the store to
    /// report.
    func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure)
    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure)
    /// Lists one page of the keys that begin with `prefix`; an empty prefix lists all keys. `take` receives the keys,
    /// each with a NUL at its end, and the cursor of the next page, which is empty after the last page. A cursor is
    /// valid only with the prefix of the listing that gave it. A store that keeps its keys in order reads only the
    /// matching keys.
    func list(
        beginningWith prefix: Bytes, after cursor: Bytes, _ take: (_ keys: Bytes, _ cursor: Bytes) -> Bool
    ) throws(Failure)
}

extension Connection {
    package func endLate(_ hold: (_ sparesLast: Bool) -> HeldPlace?) {}
}

package struct LoadItem {
    package let key: Bytes
    package var version: UInt64 = 0
    package var status = Status.store

    package init(key: Bytes) { self.key = key }
}

package struct SaveItem {
    package let key, record: Bytes
    package let expected: UInt64
    package var version: UInt64 = 0
    package var status = Status.store

    package init(key: Bytes, record: Bytes, expected: UInt64) {
        self.key = key
        self.record = record
        self.expected = expected
    }
}
