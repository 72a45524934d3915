/// A stored value as a transaction sees it: how it is read, and how a write with unknown outcome is recognised (Rules,
/// "Unknown saves"). The driver, which has it as `state`, decides how it is written.
package protocol StoredState {
    /// The id of a write, which is stored in the record.
    associatedtype WriteID

    static func drawWriteID(_ random: () -> UInt64) -> WriteID

    /// Resets this to the state without a record.
    mutating func clear()

    /// Reads a record into a cleared state.
    mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure)

    /// Adds the write with which the record will be saved.
    mutating func add(_ write: WriteID, _ random: () -> UInt64)

    /// Whether the record that was read includes this write.
    func holds(_ write: WriteID) -> Bool

    /// The number of writes so far, if the state counts them.
    var writeCount: UInt64 { get }

    /// Whether the write was certainly not made and can no longer be made. The record that was read is newer than the
    /// one before the write, and does not hold the write.
    func excludes(_ write: WriteID, since doubt: WriteBase) -> Bool
}

/// The version that a write would replace (0 for none), and the number of writes counted in it.
package struct WriteBase {
    package let version: UInt64
    package let writeCount: UInt64

    @inline(__always)
    package init(version: UInt64, writeCount: UInt64) {
        self.version = version
        self.writeCount = writeCount
    }
}
