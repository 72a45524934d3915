package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
package import SKANPostbackReceiving
import SKANPostbackVerification

extension OpenStore {
    /// Calls `body` with each refused postback of the store: a batch, the postback's index in it, its record, and its
    /// size in bytes as budgets count it. Returns false if the walk was stopped before the end.
    func walkRefused(
        until isStopped: () -> Bool, _ body: (RecordBatch, Int, PostbackRecord, _ bytes: UInt64) -> Void
    ) throws(CommandEnd) -> Bool {
        var listing = try StoreListing(self)
        let batch = RecordBatch()
        repeat {
            try listing.next(into: batch, beginningWith: "refused/")
            if isStopped() || Ending.isEnding { return false }
            batch.load(from: self)
            for index in 0..<batch.count where batch.status(index) == .ok {
                guard let (record, text) = try? PostbackRecord.read(batch.record(index)) else { continue }
                body(batch, index, record, RefusedSort.bytes(ofBody: text.count))
            }
        } while batch.count > 0
        return true
    }
}

extension RefusedBudget {
    /// Adds the refused postbacks that a store already holds to the budget's amounts.
    @export(interface)
    package func count(keptIn store: OpenStore) throws(CommandEnd) {
        let known = RefusedSort.allCases.map { inAll($0) }
        var found = known.map { _ in RefusedAmount() }
        _ = try store.walkRefused(until: { false }) { _, _, record, bytes in
            found[RefusedSort(record.verdict.result).rawValue].add(bytes)
        }
        for sort in RefusedSort.allCases { count(found[sort.rawValue], of: sort, before: known[sort.rawValue]) }
    }
}
