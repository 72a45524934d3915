internal import SKANCommandStores
internal import SKANCore
internal import SKANStorePool

/// The entries of one postback, one for each of its network's partners, on their way into the store.
struct PreparedEntries {
    private let keys: [[UInt8]]
    private let record: [UInt8]
    /// In the store, by now or before.
    private(set) var areThere = false

    /// As many as a network has partners, with the same bytes each.
    init(_ keys: [[UInt8]], _ record: [UInt8]) {
        self.keys = keys
        self.record = record
    }

    /// Saves those of many threads together: a store that waits for a disk waits once for all.
    static func saver(over store: OpenStore) -> GroupSaver<PreparedEntries> {
        GroupSaver(upTo: Limits.batchItems / Network.mostPartners) {
            $0.keys.first == $1.keys.first
        } save: { group in
            var records: [ChangedRecord] = []
            for entries in group {
                for key in entries.keys { records.append(ChangedRecord(key, entries.record)) }
            }
            store.save(&records)
            var rest = records[...]
            for index in group.indices {
                let count = group[index].keys.count
                group[index].areThere = rest.prefix(count).allSatisfy { isThere($0.status) }
                rest = rest.dropFirst(count)
            }
        }
    }
}

/// Where it is open whether one was written it is not relied upon: the sender sends again.
private func isThere(_ status: Status) -> Bool { status == .ok || status == .storeConflict }
