import CSKANSupport
import SKANCore

/// What a driver carries out on a store: it says what is to be done next, and is told what came of it.
package protocol StoreWork: AnyObject {
    func next() -> StoreStep
}

/// What a driver does next, for every record that is due.
package enum StoreStep {
    /// Load the record, after so many microseconds.
    case load(after: UInt32)
    /// Save the record if the stored one still has the expected version.
    case save
    /// Remove the record if it still has the expected version.
    case remove
    case done
}

/// The driver that blocks: a store whose calls wait, and how each step is carried out on it.
package protocol BlockingStore {
    associatedtype Work

    func next(_ work: Work) -> StoreStep
    func load(_ work: Work)
    func save(_ work: Work)
    func remove(_ work: Work)
}

extension BlockingStore {
    package func drive(_ work: Work) {
        while true {
            switch next(work) {
            case .load(let pause):
                if pause > 0 { support_pause(pause) }
                load(work)
            case .save: save(work)
            case .remove: remove(work)
            case .done: return
            }
        }
    }
}

/// Work on records of installs. Those that are on their way together have their positions as numbers.
package protocol InstallWork: StoreWork {
    /// Whether records may be loaded and saved many at once.
    var isMany: Bool { get }

    /// The positions that the step is for.
    var due: [Int] { get }

    /// Valid while the work is. A key that came as a C text has its NUL behind it.
    func key(_ position: Int) -> UnsafeRawBufferPointer

    // MARK: What is to be saved, or removed

    func expectedVersion(_ position: Int) -> UInt64
    func recordBound(_ position: Int) -> Int

    /// Writes the record into memory of `recordBound` bytes; answers its length.
    func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int

    // MARK: Reports

    /// The record was loaded; nil where there is none.
    func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64)
    func loadFailed(_ position: Int, _ message: Message)

    /// A save or a remove ended.
    func ended(_ position: Int, _ end: WriteEnd)
}
