import CSKANSupport
import SKANCore

/// One change of a stored record, independent of the kind of store: loads the record, runs a rule, saves the record,
/// and repeats this after a conflict, by Rules, "Conflicts", "Unknown saves". A driver carries out each step and
/// reports the result. If it is unknown whether a write was applied, the transaction looks for the write's id in the
/// record whenever it is loaded again.
///
/// If the rule expects that there is no record, the driver can skip the first load and report that none was found. If
/// there is a record after all, the first save is a conflict.
package struct Transaction<Stored: StoredState>: ~Copyable {
    /// The state after the last run of the rule. If the step is `save`, this state is to be saved.
    package private(set) var state: Stored
    /// The id of the write, the same in all attempts; nil until one is drawn at random.
    private var writeID: Stored.WriteID?
    private var status = Status.ok
    private var progress = WriteProgress(.save)
    /// Whether an earlier attempt already read the state from a record.
    private var isRead = false

    /// `state`: the state of a key without a record. If `writeID` is nil, the transaction draws one.
    @inline(__always)
    package init(on state: Stored, writeID: Stored.WriteID? = nil) {
        self.state = state
        self.writeID = writeID
    }

    /// Reports the loaded record, or nil if there is no record. Runs the rule on the record's state and returns the
    /// next step.
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

    package mutating func saved(_ end: WriteEnd) -> Step { progress.ended(end, status) }

    /// Reads the loaded record. Returns a status if the transaction is over, because the record holds the write that
    /// was in doubt.
    private mutating func begin(_ record: UnsafeRawBufferPointer?, _ version: UInt64) throws(Failure) -> Status? {
        if isRead { state.clear() }
        isRead = true
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
    /// The greatest number of bytes that `writeRecord` can write. Valid after the transaction has answered `save`.
    package var recordBound: Int { Record.sizeBound(state) }

    /// Returns the record's length.
    package mutating func writeRecord(to memory: UnsafeMutableRawPointer) -> Int {
        Record.write(&state, isOwn: false, to: memory)
    }
}

extension InstallState {
    /// Passes the record of a changed state to `body`. Only for records that stay in the memory of this process. The
    /// result of such a write is always known, so the record needs no id of the write.
    @inline(__always)
    package mutating func withOwnRecord(_ body: (UnsafeRawBufferPointer) -> Void) {
        beginHistory(support_random)
        withUnsafeTemporaryAllocation(byteCount: Record.sizeBound(self), alignment: 8) { memory in
            guard let base = memory.baseAddress else { return }
            body(UnsafeRawBufferPointer(start: base, count: Record.write(&self, isOwn: true, to: base)))
        }
    }
}
