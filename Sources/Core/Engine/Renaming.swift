import CSKANSupport
import SKANCore

/// Rules, "Rename": carries out the steps of a rename. Both records are loaded before each step, the new id's first. So
/// nearly all that the rename needs to know is in the records, and any other host can complete it.
package final class Renaming: CallWork {
    private enum Phase {
        case loadNew, loadOld
        case write(RenameStep)
        case over(Status)
        case failed(Failure)
    }

    /// The renames to carry out. Each one can continue only when the one after it has ended, so the last one is carried
    /// out first.
    private var renames: [OpenRename]
    /// The protocol of the records; nil = either protocol.
    private let protocolVersion: ProtocolVersion?
    private let writeID = InstallState.drawWriteID(support_random)
    private var new = LoadedInstall()
    private var old = LoadedInstall()
    private var phase = Phase.loadNew
    private var pause: UInt32 = 0
    private var progress = WriteProgress(.save)
    /// The number of the last update of the install that got the new id; 0 if no install got it. If several installs
    /// got new ids, because other renames came first, this is the greatest of their numbers.
    package private(set) var movedNumber: UInt64 = 0
    /// The number of times that another rename had to be carried out first.
    private var others = 0

    @inline(never)
    @_optimize(size)
    package init(_ goal: RenameGoal, _ pair: RenamePair, _ protocolVersion: ProtocolVersion?) {
        self.protocolVersion = protocolVersion
        renames = [OpenRename(goal, pair)]
    }

    /// Creates the work that gives the install `old` the id `new`.
    package convenience init(
        _ old: UnsafeRawBufferPointer, to new: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion?
    ) {
        let pair = RenamePair(old: [UInt8](old), new: [UInt8](new))
        self.init(.rename, pair, protocolVersion)
        // Equal ids need no steps, whether the install exists or not.
        if pair.old == pair.new { phase = .over(.ok) }
    }

    package func end() throws(Failure) -> Status {
        switch phase {
        case .over(let status): return status
        case .failed(let failure): throw Failure(failure.status, "rename: \(failure.message)")
        case .loadNew, .loadOld, .write:
            throw Failure(.storeUnknown, "store: the rename ended before its last step")
        }
    }

    /// The next step of the call that had to carry out this rename first: it loads its record again, or fails.
    var stepAfter: Step {
        if case .failed(let failure) = phase { return .fail(failure) }
        return .load(after: 0)
    }

    // MARK: InstallWork

    package var isMany: Bool { false }
    package var due: [Int] { [0] }

    package func next() -> StoreStep {
        switch phase {
        case .loadNew: .load(after: pause)
        case .loadOld: .load(after: 0)
        case .write(.removeOld), .write(.removeNew): .remove
        case .write: .save
        case .over, .failed: .done
        }
    }

    package func key(_ position: Int) -> UnsafeRawBufferPointer {
        guard let rename = renames.last else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return isAtNew ? rename.newKey.bytes : rename.oldKey.bytes
    }

    package func expectedVersion(_ position: Int) -> UInt64 { isAtNew ? new.version : old.version }

    package func recordBound(_ position: Int) -> Int { Record.sizeBound(written) }

    package func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int {
        var state = written
        return Record.write(&state, isOwn: false, to: memory)
    }

    @_optimize(size)
    package func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64) {
        do throws(Failure) {
            let install = LoadedInstall(try state(of: record), version)
            if case .loadNew = phase {
                new = install
                phase = .loadOld
            } else {
                old = install
                decide()
            }
        } catch {
            phase = .failed(progress.failure(error))
        }
    }

    package func loadFailed(_ position: Int, _ message: Message) {
        phase = .failed(progress.failure(Failure(.store, message)))
    }

    @_optimize(size)
    package func ended(_ position: Int, _ end: WriteEnd) {
        switch progress.ended(end, .ok) {
        case .done: applied()
        case .load(let pause):
            self.pause = pause
            phase = .loadNew
        case .fail(let failure): phase = .failed(failure)
        case .save: break
        }
    }

    // MARK: Steps

    @_optimize(size)
    private func state(of record: UnsafeRawBufferPointer?) throws(Failure) -> InstallState {
        var state = InstallState(protocolVersion ?? .skan4)
        guard let record else { return state }
        guard protocolVersion == nil else {
            try state.read(record)
            return state
        }
        try Record.read(record, isOwn: false, into: &state)
        return state
    }

    /// Whether the next step is on the new id's record.
    private var isAtNew: Bool {
        switch phase {
        case .loadNew, .write(.copy), .write(.arrive), .write(.removeNew), .write(.end): true
        default: false
        }
    }

    @_optimize(size)
    private func decide() {
        // The records just loaded show whether an earlier write was applied, so no write is in doubt any more.
        progress.endDoubt()
        pause = 0
        guard let rename = renames.last else { return phase = .over(.ok) }
        let step = rename.step(new.seen, old.seen)
        switch step {
        case .first(let pair):
            others &+= 1
            guard others < 100 else {
                return phase = .failed(Failure(.storeConflict, "store: 100 other renames had to end first"))
            }
            renames.append(OpenRename(.settle, pair))
            phase = .loadNew
        case .look:
            phase = .loadNew
        case .over(let status):
            renames.removeLast()
            phase = renames.isEmpty ? .over(status) : .loadNew
        default: write(step)
        }
    }

    private func write(_ step: RenameStep) {
        phase = .write(step)
        progress.begin(on: WriteBase(version: expectedVersion(0), writeCount: 0))
    }

    @_optimize(size)
    private func applied() {
        guard case .write(let step) = phase, let rename = renames.last else { return }
        if step == .commit { movedNumber = max(movedNumber, old.state.lastUpdateNumber) }
        if let next = rename.applied(step, old.seen) { return write(next) }
        let isOver = step == .end && renames.count == 1 && rename.isRenamed
        phase = isOver ? .over(.ok) : .loadNew
    }

    /// The state that the current step saves.
    @_optimize(size)
    private var written: InstallState {
        guard case .write(let step) = phase, let rename = renames.last else { return old.state }
        var state = step == .arrive || step == .end ? new.state : old.state
        if step == .commit { state.dropContent() }
        state.rename = rename.mark(step)
        state.add(writeID, support_random)
        return state
    }
}

/// One of the renames that a call carries out.
private final class OpenRename {
    private let goal: RenameGoal
    private let pair: RenamePair
    let oldKey, newKey: KeyText
    private var progress = RenameProgress()

    init(_ goal: RenameGoal, _ pair: RenamePair) {
        self.goal = goal
        self.pair = pair
        oldKey = KeyText(pair.old)
        newKey = KeyText(pair.new)
    }

    var isRenamed: Bool { goal == .rename && progress.hasMoved }

    func step(_ new: SeenRecord, _ old: SeenRecord) -> RenameStep {
        let step = pair.step(goal, progress, new: new, old: old)
        progress.note(step, old: old)
        return step
    }

    func applied(_ step: RenameStep, _ old: SeenRecord) -> RenameStep? { progress.applied(step, old: old) }

    /// The rename mark that the record gets in a step; nil if the step removes the mark.
    func mark(_ step: RenameStep) -> RenameMark? {
        switch step {
        case .begin: RenameMark(.moving, pair.new)
        case .commit: RenameMark(.moved, pair.new)
        case .copy: RenameMark(.arriving, pair.old)
        case .arrive: RenameMark(.arrived, pair.old)
        default: nil
        }
    }
}

/// A record as it was loaded. The version is 0 if there was no record.
private struct LoadedInstall {
    var state = InstallState(.skan4)
    var version: UInt64 = 0

    init() {}

    init(_ state: InstallState, _ version: UInt64) {
        self.state = state
        self.version = version
    }

    var seen: SeenRecord { SeenRecord(version: version, mark: state.rename) }
}

extension InstallState {
    /// Removes everything but the history of writes, by which other calls recognise their own writes.
    @_optimize(size)
    fileprivate mutating func dropContent() {
        var left = InstallState(conversion.protocolVersion)
        left.isStored = isStored
        left.writes = writes
        self = left
    }
}

extension InstallState {
    /// The mark of a rename that has to end before the record counts as an install; nil for nearly all records.
    @inline(__always)
    package var unsettled: RenameMark? {
        guard let rename, !rename.counts else { return nil }
        return rename
    }
}

extension RenameMark {
    /// Reads the rename mark of a record of either protocol; nil if the record has no mark or cannot be read.
    @_optimize(size)
    init?(in record: UnsafeRawBufferPointer) {
        var state = InstallState(.skan4)
        do throws(Failure) { try Record.read(record, isOwn: false, into: &state) } catch { return nil }
        guard let mark = state.rename else { return nil }
        self = mark
    }
}

/// A key followed by a NUL, as drivers need it.
private final class KeyText {
    private var text: ByteBuffer

    init(_ key: [UInt8]) {
        text = ByteBuffer(capacity: key.count &+ 1)
        for byte in key { text.append(byte) }
        text.append(0)
    }

    var bytes: UnsafeRawBufferPointer { text.lent(0..<(text.count &- 1)) }
}
