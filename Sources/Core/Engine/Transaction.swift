import CSKANSupport
import SKANCore

/// Load, run a rule, save, and again where others came in between: everything that Rules, "Conflicts", "Unknown saves"
/// ask for, without a store, of whatever is stored under one key. Whoever drives it does what each step says and
/// reports what came of it. A write that ended unknown is looked for by its id whenever the record is loaded again.
///
/// A rule that expects nothing to be stored may begin as if that had been loaded: if there is something, the first save
/// is a conflict.
package struct Transaction<Stored: StoredState>: ~Copyable {
    /// The state after the rule ran: what is to be saved, after a step `save`.
    package private(set) var state: Stored
    /// Drawn for the first save.
    private var writeID: Stored.WriteID?
    private var status = Status.ok
    private var progress = WriteProgress(.save)

    /// Makes a change of what is there without a record. Its write gets this id, or draws one.
    @inline(__always)
    package init(on state: Stored, writeID: Stored.WriteID? = nil) {
        self.state = state
        self.writeID = writeID
    }

    /// The record was loaded; nil where there is none. A rule is run on what it holds.
    package mutating func loaded(
        _ record: UnsafeRawBufferPointer?, version: UInt64, _ rule: (inout Stored) throws(Failure) -> Verdict
    ) -> Step {
        do throws(Failure) {
            if let end = try begin(record, version) { return .done(end) }
            let verdict = try rule(&state)
            status = verdict.status
            guard verdict.isChanged else { return .done(status) }
            let id = writeID ?? Stored.drawWriteID(support_random)
            writeID = id
            state.add(id, support_random)
            return progress.step
        } catch {
            return progress.failed(error)
        }
    }

    package mutating func loadFailed(_ message: Message) -> Step { progress.failed(Failure(.store, message)) }

    /// The store answered a save.
    package mutating func saved(_ end: WriteEnd) -> Step { progress.ended(end, status) }

    /// Reads what was loaded. Answers a status where the transaction is over: a write that ended unknown is there.
    private mutating func begin(_ record: UnsafeRawBufferPointer?, _ version: UInt64) throws(Failure) -> Status? {
        if !progress.isFirst { state.clear() }
        if let record { try state.read(record) }
        if let doubt = progress.doubt, let writeID {
            if record != nil, state.holds(writeID) { return status }
            if version != doubt.version {
                guard state.excludes(writeID, since: doubt) else {
                    throw Failure(.storeUnknown, "others have replaced the record since, or written it too often")
                }
                progress.endDoubt()
            }
        }
        progress.begin(on: WriteBase(version: version, writeCount: state.writeCount))
        return nil
    }
}

extension Transaction where Stored == InstallState {
    /// How many bytes `writeRecord` takes at most, after a step `save`.
    package var recordBound: Int { Record.sizeBound(state) }

    /// Writes the record to be saved; answers its length.
    package mutating func writeRecord(to memory: UnsafeMutableRawPointer) -> Int {
        Record.write(&state, isOwn: false, to: memory)
    }
}

extension InstallState {
    /// Shows the record of a state that a rule changed to `body`: one that never leaves this process' memory, where no
    /// write ends unknown and none has to be found again.
    @inline(__always)
    package mutating func withOwnRecord(_ body: (UnsafeRawBufferPointer) -> Void) {
        beginHistory(support_random)
        withUnsafeTemporaryAllocation(byteCount: Record.sizeBound(self), alignment: 8) { memory in
            guard let base = memory.baseAddress else { return }
            body(UnsafeRawBufferPointer(start: base, count: Record.write(&self, isOwn: true, to: base)))
        }
    }
}
