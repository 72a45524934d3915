import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Reads the refused postbacks of a store at the start and every hour, removes old ones, and updates the budget with
/// the amounts that are left. Has its own thread.
final class RefusedSweep: @unchecked Sendable {
    private let store: OpenStore
    private let budget: RefusedBudget
    /// The age in days beyond which postbacks are removed.
    private let days: Int64
    private let clock: ServerClock
    private let log: ServerLog
    private let thread: SweepThread
    /// The time at which the last sweep began, in microseconds; nil before the first.
    private var begun: Int64?

    /// `store` may be opened with relaxed durability, since a removal lost in a power failure is simply made again.
    init(_ store: OpenStore, _ budget: RefusedBudget, olderThan days: Int64, _ clock: ServerClock, _ log: ServerLog) {
        self.store = store
        self.budget = budget
        self.days = days
        self.clock = clock
        self.log = log
        thread = SweepThread("refused", log)
    }

    /// Starts the thread, which `stop` ends. If no thread can be started, nothing is removed, and the budget counts
    /// only postbacks that this process stored.
    func start() { thread.start { [unowned(unsafe) self] in sweepWhereDue() } }

    func stop() { thread.stop() }

    var metrics: Message {
        var counts: Message = ""
        var bytes: Message = ""
        for sort in RefusedSort.allCases {
            let amount = budget.inAll(sort)
            counts = "\(counts)skan_refused_kept{sort=\"\(sort.name)\"} \(amount.count)\n"
            bytes = "\(bytes)skan_refused_kept_bytes{sort=\"\(sort.name)\"} \(amount.bytes)\n"
        }
        return """
            # HELP skan_refused_kept Refused postbacks in the store, as far as this process knows.
            # TYPE skan_refused_kept gauge
            \(counts)# HELP skan_refused_kept_bytes Bytes of refused postbacks in the store, as budgets count them.
            # TYPE skan_refused_kept_bytes gauge
            \(bytes)
            """
    }

    private func sweepWhereDue() {
        let now = clock.microseconds
        if let begun, (now - begun).magnitude < everyHour { return }
        begun = now
        var removed: UInt64 = 0
        do throws(CommandEnd) {
            try sweep(before: now - days * 24 * Int64(everyHour), &removed)
        } catch {
            log.event("refused", "the refused postbacks in the store could not be read", .warning)
        }
        if removed > 0 { log.event("refused", "\(removed) removed, which came more than \(days) days ago") }
    }

    private func sweep(before: Int64, _ removed: inout UInt64) throws(CommandEnd) {
        let known = RefusedSort.allCases.map { budget.inAll($0) }
        var found = known.map { _ in RefusedAmount() }
        let isWhole = try store.walkRefused(until: { thread.isStopping }) {
            batch, index, record, bytes in
            if record.received < before {
                if store.remove(batch.key(index), version: batch.version(index)) == .ok { removed += 1 }
            } else {
                found[RefusedSort(record.verdict.result).rawValue].add(bytes)
            }
        }
        if !isWhole { return }
        for sort in RefusedSort.allCases {
            budget.count(found[sort.rawValue], of: sort, before: known[sort.rawValue])
        }
    }
}

/// The time between two sweeps, in microseconds.
private var everyHour: UInt64 { 3_600_000_000 }
