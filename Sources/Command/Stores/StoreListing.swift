package import SKANCommandOutput
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// The keys of a store, batch by batch, in the order of its listing. A store may give a key twice: within a batch it
/// comes once, in two batches twice.
package struct StoreListing {
    private let store: OpenStore
    private var cursor: [UInt8] = []
    private var page: [UInt8] = []
    /// In the page: of the next key.
    private var place = 0
    /// No page follows.
    private var isLast = false

    package init(_ store: OpenStore) throws(CommandEnd) {
        guard store.canList else {
            throw .complaint(store.name, "this store cannot list its installs")
        }
        self.store = store
    }

    /// Fills the batch with the next keys, of those that begin so; with none at the end.
    package mutating func next(
        into batch: RecordBatch, beginningWith prefix: StaticString = ""
    ) throws(CommandEnd) {
        batch.removeAll()
        while !Ending.isEnding {
            while !batch.isFull, let key = nextKey() {
                page.withUnsafeBytes { page in
                    let key = Bytes(rebasing: page[key])
                    if key.begins(with: prefix) { _ = batch.add(key) }
                }
            }
            if batch.isFull || isLast { break }
            try turnPage()
        }
    }

    /// How many keys there are, those that come twice counted twice; ends early where the command does.
    package static func count(_ store: OpenStore) throws(CommandEnd) -> UInt64 {
        var listing = try StoreListing(store)
        var count: UInt64 = 0
        while !listing.isLast && !Ending.isEnding {
            try listing.turnPage()
            while listing.nextKey() != nil { count += 1 }
        }
        return count
    }

    private mutating func turnPage() throws(CommandEnd) {
        store.calm()
        // The store makes a page of the same size: never two beside that.
        (page, place) = ([], 0)
        var keys: [UInt8] = []
        var next: [UInt8] = []
        do throws(Failure) {
            try cursor.withBytes { cursor throws(Failure) in
                try store.records.list(after: cursor) { page, following in
                    keys = [UInt8](page)
                    next = [UInt8](following)
                    return true
                }
            }
        } catch {
            throw .complaint(store.name, "its installs could not be listed: \(store.words)")
        }
        page = keys
        cursor = next
        isLast = next.isEmpty
    }

    /// Where the next key of the page is, without its NUL; nil at the page's end.
    private mutating func nextKey() -> Range<Int>? {
        guard let end = page[place...].firstIndex(of: 0) else { return nil }
        defer { place = end + 1 }
        return place..<end
    }
}
