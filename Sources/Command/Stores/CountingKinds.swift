package import SKANCommandOutput
internal import SKANCore
internal import SKANSystem

extension RecordCounts {
    /// Counts all records of a store, for a command that found none of its own. Throws where they could not all be read, which
    /// was said.
    package static func all(of store: OpenStore) throws(CommandEnd) -> RecordCounts {
        var counts = RecordCounts()
        let walk = StoreWalk(store, printsData: false) { key, record, _ in
            counts.count(RecordKind(of: record, under: key))
        }
        guard walk.isComplete else { throw .done(.found) }
        return counts
    }
}
