import SKANCore

/// A group of a batch's installs that are loaded together and saved together. Installs that others changed meanwhile
/// are loaded and saved again. A driver carries out the step of `next` for all positions in `due`, and reports each
/// result.
///
/// The batch must outlive this object.
package final class RevenuePart: InstallWork {
    /// The range of the batch's installs that are in this part.
    package let installs: Range<Int>
    private let batch: RevenueBatch
    private let changes: UnsafeMutablePointer<Change>
    private var nowDue: [Int] = []
    private var toLoad: [Int]
    private var toSave: [Int] = []
    private var pause: UInt32 = 0

    private struct Change: ~Copyable {
        var rule: InstallRevenue
        var transaction: Transaction<InstallState>
        var expected: UInt64 = 0
    }

    package init(_ batch: RevenueBatch, _ installs: Range<Int>) {
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

    package var isMany: Bool { true }

    package var due: [Int] { nowDue }

    package func key(_ position: Int) -> UnsafeRawBufferPointer {
        batch.key(installs.lowerBound &+ position)
    }

    package func next() -> StoreStep {
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

    package func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64) {
        var rule = changes[position].rule
        take(
            changes[position].transaction.loaded(record, version: version) { state throws(Failure) in
                try rule.run(on: &state)
            }, position)
        changes[position].rule = rule
    }

    package func loadFailed(_ position: Int, _ message: Message) {
        take(changes[position].transaction.loadFailed(message), position)
    }

    package func ended(_ position: Int, _ end: WriteEnd) {
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

    package func expectedVersion(_ position: Int) -> UInt64 { changes[position].expected }

    package func recordBound(_ position: Int) -> Int { changes[position].transaction.recordBound }

    package func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int {
        changes[position].transaction.writeRecord(to: memory)
    }
}
