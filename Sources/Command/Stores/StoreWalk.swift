internal import SKANCommandOutput
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// How a walk through all records of a store went.
package struct StoreWalk {
    /// Whether the end was reached; why not was said, but for a signal or a reader that left.
    package private(set) var isComplete = false
    /// Records that could not be loaded; they were named.
    package private(set) var failed: UInt64 = 0

    /// Shows `visit` batch after batch, with its records loaded; false ends the walk. With a progress bar.
    /// `printsData`: on standard output, line by line.
    package init(_ store: OpenStore, printsData: Bool, visit: (RecordBatch) -> Bool) {
        do throws(CommandEnd) {
            var listing = try StoreListing(store)
            let isSeen = Progress.isSeen(printsData: printsData)
            let total = isSeen ? try StoreListing.count(store) : 0
            Progress.begin(isSeen, unit: "records", total: total)
            defer { Progress.end() }
            isComplete = try walk(store, &listing, visit)
        } catch {
            _ = error.say()
        }
    }

    private mutating func walk(
        _ store: OpenStore, _ listing: inout StoreListing, _ visit: (RecordBatch) -> Bool
    ) throws(CommandEnd) -> Bool {
        let batch = RecordBatch()
        var done: UInt64 = 0
        while !Ending.isEnding {
            try listing.next(into: batch)
            if Ending.isEnding { break }
            if batch.count == 0 { return true }
            store.calm()
            batch.load(from: store)
            nameFailed(batch, store)
            let goesOn = visit(batch)
            done += UInt64(batch.count)
            Progress.step(done)
            if !goesOn { return false }
        }
        return false
    }

    private mutating func nameFailed(_ batch: RecordBatch, _ store: OpenStore) {
        for index in 0..<batch.count where batch.status(index) == .store {
            failed += 1
            complain(Message(utf8: [UInt8](batch.key(index))), "could not be read: \(store.words)")
        }
    }
}
