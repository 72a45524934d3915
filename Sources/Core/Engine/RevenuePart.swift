import SKANCore

/// Some installs of a batch on their way together: loaded in one go, saved in one go, and once more those that others
/// changed meanwhile. A driver does what `next` says for all that are `due`, and reports what came of each.
///
/// Installs have their positions in the part as numbers. It ends with `destroy`, before the batch.
package struct RevenuePart {
    /// The installs of the batch in this part.
    package let installs: Range<Int>
    /// The positions that the step is for.
    package private(set) var due: [Int] = []
    private let transactions: UnsafeMutablePointer<Transaction<InstallRevenue>>
    private let expected: UnsafeMutablePointer<UInt64>
    private var toLoad: [Int]
    private var toSave: [Int] = []
    private var pause: UInt32 = 0

    /// What a driver does next, for every install that is due.
    package enum Step {
        /// Load the record, after so many microseconds, and report it.
        case load(after: UInt32)
        /// Save the record if it still has the expected version, and report the end.
        case save
        case done
    }

    package init(_ batch: RevenueBatch, _ installs: Range<Int>) {
        self.installs = installs
        transactions = .allocate(capacity: installs.count)
        for (position, install) in installs.enumerated() {
            (transactions + position).initialize(to: batch.transaction(install))
        }
        expected = .allocate(capacity: installs.count)
        expected.initialize(repeating: 0, count: installs.count)
        toLoad = [Int](0..<installs.count)
        toSave.reserveCapacity(installs.count)
    }

    package func destroy() {
        transactions.deinitialize(count: installs.count)
        transactions.deallocate()
        expected.deallocate()
    }

    package mutating func next() -> Step {
        if !toSave.isEmpty {
            due = toSave
            toSave.removeAll(keepingCapacity: true)
            return .save
        }
        guard !toLoad.isEmpty else { return .done }
        due = toLoad
        toLoad.removeAll(keepingCapacity: true)
        defer { pause = 0 }
        return .load(after: pause)
    }

    // MARK: Reports

    /// The record was loaded; nil where there is none.
    @inline(never)
    package mutating func loaded(_ position: Int, _ record: UnsafeRawBufferPointer?, version: UInt64) {
        take(transactions[position].loaded(record, version: version), position)
    }

    @inline(never)
    package mutating func loadFailed(_ position: Int, _ message: Message) {
        take(transactions[position].loadFailed(message), position)
    }

    @inline(never)
    package mutating func saved(_ position: Int, _ end: WriteEnd) {
        take(transactions[position].saved(end), position)
    }

    private mutating func take(_ step: SKANEngine.Step, _ position: Int) {
        switch step {
        case .load(let pause):
            self.pause = max(self.pause, pause)
            toLoad.append(position)
        case .save(let version):
            expected[position] = version
            toSave.append(position)
        case .done:
            break
        case .fail(let failure):
            transactions[position].rule.fail(failure)
        }
    }

    // MARK: What is to be saved

    package func expectedVersion(_ position: Int) -> UInt64 { expected[position] }

    package func recordBound(_ position: Int) -> Int { transactions[position].recordBound }

    @inline(never)
    package func writeRecord(_ position: Int, to memory: UnsafeMutableRawPointer) -> Int {
        transactions[position].writeRecord(to: memory)
    }
}
