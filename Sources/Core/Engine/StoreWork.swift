import CSKANSupport
import SKANCore

/// Work that a driver carries out on a store, step by step. `next` returns the next step, and the driver reports its
/// result.
package protocol StoreWork: AnyObject {
    func next() -> StoreStep
}

/// A step for the driver to carry out, for every record that is due.
package enum StoreStep {
    /// Load the record after a pause of this many microseconds.
    case load(after: UInt32)
    /// Save the record if the stored one still has the expected version.
    case save
    /// Remove the record if it still has the expected version.
    case remove
    case done
}

/// A driver for a store whose calls block the thread. Each function carries out one kind of step.
package protocol BlockingStore {
    associatedtype Work

    func next(_ work: Work) -> StoreStep
    func load(_ work: Work)
    func save(_ work: Work)
    func remove(_ work: Work)

    /// Waits before another attempt.
    func pause(_ microseconds: UInt32)
}

extension BlockingStore {
    package func pause(_ microseconds: UInt32) { support_pause(microseconds) }

    package func drive(_ work: Work) {
        while true {
            switch next(work) {
            case .load(let pause):
                if pause > 0 { self.pause(pause) }
                load(work)
            case .save: save(work)
            case .remove: remove(work)
            case .done: return
            }
        }
    }
}

/// The work of one call on an install.
package protocol CallWork: InstallWork {
    /// The status of the call, or its failure. Valid once `next` has returned `done`.
    func end() throws(Failure) -> Status
}

/// Work on the records of one or several installs. Each record has a position, counted from 0.
package protocol InstallWork: StoreWork {
    /// Whether one call of the store can load or save several records.
    var isMany: Bool { get }

    /// The positions that the current step applies to.
    var due: [Int] { get }

    /// The key at a position, valid as long as this object. If the key came as a C string, the string's NUL still
    /// follows it.
    func key(_ position: Int) -> UnsafeRawBufferPointer

    // MARK: The record to save or remove

    func expectedVersion(_ position: Int) -> UInt64
    func recordBound(_ position: Int) -> Int

    /// Writes the record into memory of `recordBound` bytes and returns its length.
    func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int

    // MARK: Reports

    /// `record`: nil if there is no record.
    func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64)
    func loadFailed(_ position: Int, _ message: Message)

    func ended(_ position: Int, _ end: WriteEnd)
}
