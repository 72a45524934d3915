import SKANCore

/// A group of a batch's installs that are loaded together and saved together. Installs that were changed elsewhere
/// meanwhile are loaded and saved again. A driver carries out the step that `next` returns for all positions in `due`,
/// and reports the result for each.
///
/// The batch must outlive this object.
package final class RevenuePart: InstallWork {
    /// The installs of this part, by their numbers in the batch.
    package let installs: [Int]
    private let batch: RevenueBatch
    private let changes: UnsafeMutablePointer<Change>
    private var nowDue: [Int] = []
    private var toLoad: [Int]
    private var toSave: [Int] = []
    private var pause: UInt32 = 0
    /// Rules, "Rename": the positions whose records belong to a rename that must end first.
    private var toSettle: [(position: Int, mark: RenameMark)] = []
    private var renaming: Renaming?

    private struct Change: ~Copyable {
        var rule: InstallRevenue
        var transaction: Transaction<InstallState>
        var expected: UInt64 = 0
    }

    package init(_ batch: RevenueBatch, _ installs: [Int]) {
        self.batch = batch
        self.installs = installs
        changes = .allocate(capacity: installs.count)
        for (position, install) in installs.enumerated() {
            (changes + position).initialize(
                to: Change(
                    rule: batch.rule(install), transaction: Transaction(on: InstallState(batch.protocolVersion))))
        }
        toLoad = [Int](0..<installs.count)
        toSave.reserveCapacity(installs.count)
    }

    deinit {
        changes.deinitialize(count: installs.count)
        changes.deallocate()
    }

    package var isMany: Bool { renaming == nil }

    package var due: [Int] { nowDue }

    package func key(_ position: Int) -> UnsafeRawBufferPointer {
        renaming?.key(position) ?? batch.key(installs[position])
    }

    package func next() -> StoreStep {
        while let renaming = currentRenaming() {
            let next = renaming.next()
            guard case .done = next else { return next }
            take(renaming.stepAfter, nowDue.first ?? 0)
            self.renaming = nil
        }
        if !toSave.isEmpty {
            nowDue = toSave
            toSave.removeAll(keepingCapacity: true)
            return .save
        }
        guard !toLoad.isEmpty else { return .done }
        nowDue = toLoad
        toLoad.removeAll(keepingCapacity: true)
        defer { pause = 0 }
        return .load(after: pause)
    }

    private func currentRenaming() -> Renaming? {
        if renaming == nil, let (position, mark) = toSettle.popLast() {
            nowDue = [position]
            let id = [UInt8](batch.key(installs[position]))
            renaming = Renaming(.settle, mark.rename(of: id), batch.protocolVersion)
        }
        return renaming
    }

    package func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64) {
        if let renaming { return renaming.loaded(position, record, version: version) }
        var rule = changes[position].rule
        var mark: RenameMark?
        let step = changes[position].transaction.loaded(record, version: version) { state throws(Failure) in
            mark = state.unsettled
            return mark == nil ? try rule.run(on: &state) : .unchanged(.ok)
        }
        changes[position].rule = rule
        if let mark { toSettle.append((position, mark)) } else { take(step, position) }
    }

    package func loadFailed(_ position: Int, _ message: Message) {
        if let renaming { return renaming.loadFailed(position, message) }
        take(changes[position].transaction.loadFailed(message), position)
    }

    package func ended(_ position: Int, _ end: WriteEnd) {
        if let renaming { return renaming.ended(position, end) }
        take(changes[position].transaction.saved(end), position)
    }

    private func take(_ step: Step, _ position: Int) {
        switch step {
        case .load(let pause):
            self.pause = max(self.pause, pause)
            toLoad.append(position)
        case .save(let version):
            changes[position].expected = version
            toSave.append(position)
        case .done:
            break
        case .fail(let failure):
            changes[position].rule.fail(failure)
        }
    }

    package func expectedVersion(_ position: Int) -> UInt64 {
        renaming?.expectedVersion(position) ?? changes[position].expected
    }

    package func recordBound(_ position: Int) -> Int {
        renaming?.recordBound(position) ?? changes[position].transaction.recordBound
    }

    package func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int {
        renaming?.writeRecord(position, to: memory) ?? changes[position].transaction.writeRecord(to: memory)
    }
}
