package import SKANCore
package import SKANSystem

/// A connection of a store: what it can do, used by one thread at a time.
package protocol Connection: AnyObject {
    associatedtype Settings

    /// `isFirst`: the store is being opened, what it needs may be made.
    init(_ settings: Settings, isFirst: Bool) throws(Failure)

    /// Ends it. References to it may outlive that: those of the call that had borrowed it, on its way out.
    func end()

    /// Ends what servers may go on with after a time-out: each takes one more place, and frees it once it has ended at
    /// its server too. The last place is spared where the connection itself has found a server that answers.
    func endLate(_ hold: (_ sparesLast: Bool) -> HeldPlace?)

    /// Whether the connection is to be ended instead of being lent again.
    var isBroken: Bool { get }
    /// The deadline of the call that borrowed it, on the clock of `millisecondsNow`.
    var deadline: Int64 { get set }
    /// Whether the connection is to be replaced; asked when it is lent.
    func isStale() -> Bool

    /// Shows the record of a key to `take`, which answers whether it could take it. False: there is none.
    func load(_ key: Bytes, _ take: (Bytes, _ version: UInt64) -> Bool) throws(Failure) -> Bool
    /// Saves the record of a key and returns the new version; nil: a conflict.
    func save(_ key: Bytes, _ record: Bytes, expected: UInt64) throws(Failure) -> UInt64?
    /// Removes the record of a key. False: a conflict.
    func remove(_ key: Bytes, expected: UInt64) throws(Failure) -> Bool
    /// Loads many records and sets the status of every item; throws a failure that is to be reported.
    func loadMany(_ items: UnsafeMutableBufferPointer<LoadItem>, _ take: (Int, Bytes) -> Bool) throws(Failure)
    func saveMany(_ items: UnsafeMutableBufferPointer<SaveItem>) throws(Failure)
    /// One page of the keys that begin with `prefix`, all keys where it is empty: each ended by a NUL, and the cursor
    /// behind the page, empty at the end. A cursor is only good for the prefix that it was given for. A store whose
    /// keys have an order reads nothing else.
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
