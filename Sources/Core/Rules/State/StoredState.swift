/// A stored value as a transaction sees it. The protocol says how the value is read, and how a write with an unknown
/// outcome is recognised (Rules, "Unknown saves"). Writing it is up to the driver.
package protocol StoredState {
    /// The id of a write, which is stored in the record.
    associatedtype WriteID

    static func drawWriteID(_ random: () -> UInt64) -> WriteID

    /// Resets the value to that of a key without a record.
    mutating func clear()

    /// Reads a record into a cleared state.
    mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure)

    /// Adds the id of the write that will save the record.
    mutating func add(_ write: WriteID, _ random: () -> UInt64)

    /// Whether the record that was read includes this write.
    func holds(_ write: WriteID) -> Bool

    /// The number of writes so far, if the state counts them.
    var writeCount: UInt64 { get }

    /// Whether the write in doubt was certainly not applied and never will be. The caller has checked that the record
    /// is not the one that the write was meant to replace, and does not hold the write.
    func excludes(_ write: WriteID, since doubt: WriteBase) -> Bool
}

/// The version of the record that a write is meant to replace (0 if there is no record), and the record's count of
/// writes.
package struct WriteBase {
    package let version: UInt64
    package let writeCount: UInt64

    @inline(__always)
    package init(version: UInt64, writeCount: UInt64) {
        self.version = version
        self.writeCount = writeCount
    }
}
