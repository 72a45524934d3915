import SKANCore

/// Work on the record of one install: runs a rule that can change the record, or removes the record. If the record is
/// changed elsewhere meanwhile, the rule runs again on the newer state.
package final class SingleInstall: CallWork {
    /// Nil if the record is to be removed.
    private let rule: ((inout InstallState) throws(Failure) -> Verdict)?
    private let key: UnsafeRawBufferPointer
    private var transaction: Transaction<InstallState>
    private var removal = WriteProgress(.remove)
    /// Rules, "Rename": the rename that has to end before the record counts as an install.
    private var renaming: Renaming?
    private var renamings = 0
    package private(set) var step = Step.load(after: 0)
    /// The number of the last update in the removed record; 0 if no record was removed, or if the record was damaged.
    package private(set) var removedNumber: UInt64 = 0

    /// The rule is not called any more once the work is done.
    package init(
        _ key: UnsafeRawBufferPointer, _ protocolVersion: ProtocolVersion,
        _ rule: @escaping (inout InstallState) throws(Failure) -> Verdict
    ) {
        self.key = key
        self.rule = rule
        transaction = Transaction(on: InstallState(protocolVersion))
    }

    /// Rules, "Forget", "Unknown saves": creates the work that removes the record, whatever the record holds.
    package init(removing key: UnsafeRawBufferPointer) {
        self.key = key
        rule = nil
        transaction = Transaction(on: InstallState(.skan4))
    }

    /// The state as the last run of the rule left it.
    package var state: InstallState { transaction.state }

    package func end() throws(Failure) -> Status {
        switch step {
        case .done(let status): return status
        case .fail(let failure): throw failure
        case .load, .save: throw Failure(.storeUnknown, "store: the call ended before its last step")
        }
    }

    // MARK: InstallWork

    package var isMany: Bool { false }
    package var due: [Int] { [0] }

    package func next() -> StoreStep {
        if let renaming {
            let next = renaming.next()
            guard case .done = next else { return next }
            step = renaming.stepAfter
            self.renaming = nil
        }
        return switch step {
        case .load(let pause): .load(after: pause)
        case .save: rule == nil ? .remove : .save
        case .done, .fail: .done
        }
    }

    package func key(_ position: Int) -> UnsafeRawBufferPointer { renaming?.key(position) ?? key }

    package func expectedVersion(_ position: Int) -> UInt64 {
        if let renaming { return renaming.expectedVersion(position) }
        return if case .save(let version) = step { version } else { 0 }
    }

    package func recordBound(_ position: Int) -> Int { renaming?.recordBound(position) ?? transaction.recordBound }

    package func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int {
        renaming?.writeRecord(position, to: memory) ?? transaction.writeRecord(to: memory)
    }

    package func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64) {
        if let renaming { return renaming.loaded(position, record, version: version) }
        if let rule { return run(rule, record, version) }
        remove(record, version)
    }

    private func run(
        _ rule: (inout InstallState) throws(Failure) -> Verdict, _ record: UnsafeRawBufferPointer?, _ version: UInt64
    ) {
        var mark: RenameMark?
        step = transaction.loaded(record, version: version) { state throws(Failure) in
            mark = state.unsettled
            return mark == nil ? try rule(&state) : .unchanged(.ok)
        }
        if let mark { settle(mark, .settle, transaction.state.conversion.protocolVersion) }
    }

    private func remove(_ record: UnsafeRawBufferPointer?, _ version: UInt64) {
        guard let record else { return step = .done(.ok) }
        removedNumber = max(removedNumber, InstallState.lastUpdateNumber(of: record, isOwn: false))
        if let doubt = removal.doubt, version != doubt.version {
            return step = removal.failed(Failure(.storeUnknown, "others have replaced the record since"))
        }
        if let mark = RenameMark(in: record) {
            return settle(mark, mark.stage == .moving ? .erase : .settle, nil)
        }
        removal.begin(on: WriteBase(version: version, writeCount: 0))
        step = removal.step
    }

    /// Rules, "Rename": carries out the rename that the record belongs to. Then the record is loaded again.
    private func settle(_ mark: RenameMark, _ goal: RenameGoal, _ protocolVersion: ProtocolVersion?) {
        renamings &+= 1
        guard renamings < 100 else {
            return step = .fail(Failure(.storeConflict, "store: the record was renamed 100 times meanwhile"))
        }
        renaming = Renaming(goal, mark.rename(of: [UInt8](key)), protocolVersion)
    }

    package func loadFailed(_ position: Int, _ message: Message) {
        if let renaming { return renaming.loadFailed(position, message) }
        step = rule == nil ? removal.failed(Failure(.store, message)) : transaction.loadFailed(message)
    }

    package func ended(_ position: Int, _ end: WriteEnd) {
        if let renaming { return renaming.ended(position, end) }
        step = rule == nil ? removal.ended(end, .ok) : transaction.saved(end)
    }
}
