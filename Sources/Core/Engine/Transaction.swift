import CSKANSupport
import SKANCore

/// Load, run a rule, save, and again where others came in between: everything that Rules, "Conflicts", "Unknown saves"
/// ask for, without a store, of whatever is stored. A driver does what each step says and reports what came of it.
///
/// A rule that expects nothing to be stored may begin as if that had been loaded: if there is something, the first save
/// is a conflict.
package struct Transaction<R: StoredRule>: ~Copyable {
    package private(set) var rule: R
    private var writing: Writing<R.Stored>

    /// On what is there without a record. Its write gets this id, or draws one.
    @inline(__always)
    package init(_ rule: R, on state: R.Stored, writeID: R.Stored.WriteID? = nil) {
        self.rule = rule
        writing = Writing(state, writeID)
    }

    /// The state after the rule ran: what is to be saved, after a step `save`.
    package var state: R.Stored {
        @inline(__always)
        _read { yield writing.state }
    }

    /// The record was loaded; nil where there is none.
    @inline(__always)
    package mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64) -> Step {
        do throws(Failure) {
            if let end = try writing.begin(record, version) { return .done(end) }
            return writing.end(try rule.run(on: &writing.state))
        } catch {
            return writing.failed(error)
        }
    }

    package mutating func loadFailed(_ message: Message) -> Step { writing.loadFailed(message) }

    /// The store answered a save.
    package mutating func saved(_ end: WriteEnd) -> Step { writing.saved(end) }
}

/// The part of a transaction that does not depend on its rule. A write that ended unknown is looked for by its id
/// whenever the record is loaded again.
package struct Writing<Stored: StoredState>: ~Copyable {
    fileprivate var state: Stored
    /// Drawn for the first save.
    private var writeID: Stored.WriteID?
    private var status = Status.ok
    private var progress = WriteProgress(.save)

    @inline(__always)
    fileprivate init(_ state: Stored, _ writeID: Stored.WriteID?) {
        self.state = state
        self.writeID = writeID
    }

    package mutating func loadFailed(_ message: Message) -> Step { failed(Failure(.store, message)) }

    package mutating func saved(_ end: WriteEnd) -> Step { progress.ended(end, status) }

    fileprivate func failed(_ failure: Failure) -> Step { progress.failed(failure) }

    /// Reads what was loaded. Answers a status where the transaction is over: a write that ended unknown is there.
    fileprivate mutating func begin(_ record: UnsafeRawBufferPointer?, _ version: UInt64) throws(Failure) -> Status? {
        if !progress.isFirst { state.clear() }
        if let record { try state.read(record) }
        if let doubt = progress.doubt, let writeID {
            if record != nil, state.holds(writeID) { return status }
            if version != doubt.version {
                guard state.excludes(writeID, since: doubt) else {
                    throw Failure(.storeUnknown, "the record is another one now, or was written too often since")
                }
                progress.endDoubt()
            }
        }
        progress.begin(on: WriteBase(version: version, writeCount: state.writeCount))
        return nil
    }

    /// The rule ran.
    @inline(__always)
    fileprivate mutating func end(_ verdict: Verdict) -> Step {
        status = verdict.status
        guard verdict.isChanged else { return .done(status) }
        addWrite()
        return progress.step
    }

    private mutating func addWrite() {
        let id = writeID ?? Stored.drawWriteID(support_random)
        writeID = id
        state.add(id, support_random)
    }
}

// MARK: Installs

extension Transaction where R.Stored == InstallState {
    @inline(__always)
    package init(_ rule: R, _ protocolVersion: ProtocolVersion) { self.init(rule, on: InstallState(protocolVersion)) }

    /// After a step `save`: how many bytes `writeRecord` takes at most.
    @inline(__always)
    package var recordBound: Int { writing.recordBound }

    /// Writes the record to be saved; answers its length.
    @inline(__always)
    package mutating func writeRecord(to memory: UnsafeMutableRawPointer) -> Int { writing.writeRecord(to: memory) }

    /// As `loaded`, once, of a record that never left this process' memory, where no write ends unknown and none has to
    /// be found again.
    @inline(__always)
    package mutating func loaded(own record: UnsafeRawBufferPointer?) -> Step {
        do throws(Failure) {
            if let record { try writing.state.read(record, isOwn: true) }
            let verdict = try rule.run(on: &writing.state)
            guard verdict.isChanged else { return .done(verdict.status) }
            writing.state.beginHistory(support_random)
            return writing.save(verdict.status)
        } catch {
            return .fail(error)
        }
    }

    @inline(__always)
    package mutating func writeOwnRecord(to memory: UnsafeMutableRawPointer) -> Int {
        Record.write(&writing.state, isOwn: true, to: memory)
    }

    /// For a driver that is compiled once for all rules: the part that does not depend on the rule, and the rule in an
    /// object.
    @inline(__always)
    package mutating func drive(
        _ driver: (inout Writing<InstallState>, any RuleObject) throws(Failure) -> Status
    ) throws(Failure) -> Status where R: Rule {
        let object = Ruling(rule)
        defer { rule = object.rule }
        return try driver(&writing, object)
    }
}

extension Writing where Stored == InstallState {
    @inline(__always)
    package var recordBound: Int { Record.sizeBound(state) }

    @inline(__always)
    package mutating func writeRecord(to memory: UnsafeMutableRawPointer) -> Int {
        Record.write(&state, isOwn: false, to: memory)
    }

    /// As that of a transaction.
    package mutating func loaded(_ record: UnsafeRawBufferPointer?, version: UInt64, _ rule: any RuleObject) -> Step {
        do throws(Failure) {
            if let end = try begin(record, version) { return .done(end) }
            return end(try rule.run(on: &state))
        } catch {
            return failed(error)
        }
    }

    @inline(__always)
    fileprivate mutating func save(_ status: Status) -> Step {
        self.status = status
        return progress.step
    }
}
