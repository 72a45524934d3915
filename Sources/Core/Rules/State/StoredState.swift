/// What a store keeps under a key, as a transaction has to know it: how it is read, and how a write whose end is
/// unknown is recognised (Rules, "Unknown saves"). How it is written is up to the driver, who has it as `state`.
package protocol StoredState {
    /// Names a write in what it wrote.
    associatedtype WriteID

    static func drawWriteID(_ random: () -> UInt64) -> WriteID

    /// Makes this the state for which there is no record.
    mutating func clear()

    /// Reads a record into a clear state.
    mutating func read(_ record: UnsafeRawBufferPointer) throws(Failure)

    /// Notes the write with which the record will be saved.
    mutating func add(_ write: WriteID, _ random: () -> UInt64)

    /// Whether the record that was read includes this write.
    func holds(_ write: WriteID) -> Bool

    /// The number of writes so far, if the state counts them.
    var writeCount: UInt64 { get }

    /// Whether the write was certainly not made and cannot be made any more. The record that was read is a newer one
    /// than that before the write, and does not hold the write.
    func excludes(_ write: WriteID, since doubt: WriteBase) -> Bool
}

/// What a write was to replace: a version of a record, 0 for none, and how many writes it counted.
package struct WriteBase {
    package let version: UInt64
    package let writeCount: UInt64

    @inline(__always)
    package init(version: UInt64, writeCount: UInt64) {
        self.version = version
        self.writeCount = writeCount
    }
}
