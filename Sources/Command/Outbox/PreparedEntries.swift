import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANStorePool

/// The entries to save for one postback, one for each partner of its network.
struct PreparedEntries {
    private let keys: [[UInt8]]
    private let entry: OutboxEntry
    /// Whether all entries are in the store, newly saved or saved before.
    private(set) var areThere = false

    /// `entry`: the entry to save under each of the keys.
    init(_ keys: [[UInt8]], _ entry: OutboxEntry) {
        self.keys = keys
        self.entry = entry
    }

    /// Returns a saver that saves the entries of several threads in one call, so that the store waits for its disk only
    /// once for all of them.
    static func saver(over store: OpenStore) -> GroupSaver<PreparedEntries> {
        GroupSaver(upTo: Limits.batchItems / Network.mostPartners) {
            $0.keys.first == $1.keys.first
        } save: { group in
            var records: [ChangedRecord] = []
            for entries in group {
                for key in entries.keys { records.append(ChangedRecord(key, entries.entry.record(under: key))) }
            }
            store.save(&records)
            for index in records.indices where records[index].status == .storeConflict {
                records[index].status = renew(records[index], in: store)
            }
            var rest = records[...]
            for index in group.indices {
                let count = group[index].keys.count
                group[index].areThere = rest.prefix(count).allSatisfy { $0.status == .ok }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Makes sure that an entry that existed before stays in the store. If it is so old that a worker may be about to give
/// it up, it is saved anew: the worker then fails to remove it, since its version has changed. Returns `.ok` if the
/// entry stays or was saved anew.
private func renew(_ record: ChangedRecord, in store: OpenStore) -> Status {
    for _ in 0..<renewals {
        let found = record.key.withUnsafeBytes { store.load($0) }
        if found.status == .ok, !mayBeGivenUp(found.bytes, under: record.key) { return .ok }
        guard found.status == .ok || found.status == .notFound else { return found.status }
        let saved = record.key.withUnsafeBytes { key in
            record.bytes.withUnsafeBytes { store.save(key, $0, expected: found.version) }
        }
        if saved.status != .storeConflict { return saved.status }
    }
    return .store
}

private func mayBeGivenUp(_ record: [UInt8], under key: [UInt8]) -> Bool {
    let entry = key.withUnsafeBytes { key in record.withUnsafeBytes { OutboxEntry($0, under: key) } }
    guard let entry else { return false }
    return entry.state == .prepared && support_now() - entry.created > givenUpAfter / 2
}

/// The number of tries while other processes keep changing the entry.
private var renewals: Int { 5 }
