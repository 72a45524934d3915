package import SKANCommandOutput
internal import SKANCore
internal import SKANStorePool
internal import SKANSystem

/// The keys of a store, batch by batch, in the order of its listing. A store may give a key twice: within a batch it
/// comes once, and in two batches twice, unless the listing gives each key once.
package struct StoreListing {
    private let store: OpenStore
    private var cursor: [UInt8] = []
    private var page: [UInt8] = []
    /// The place of the next key in the page.
    private var place = 0
    /// No page follows.
    private var isLast = false
    /// The keys that were given; nil where the store lists each key once, or a key that comes twice does no harm.
    private var listed: ListedKeys?

    package init(_ store: OpenStore, givesEachKeyOnce: Bool = false) throws(CommandEnd) {
        guard store.canList else {
            throw .complaint(store.name, "this store cannot list its installs")
        }
        self.store = store
        if givesEachKeyOnce && !store.listsEachKeyOnce { listed = ListedKeys() }
    }

    /// Fills the batch with the next of the keys that begin with `prefix`, which is the same in all calls of a listing;
    /// with none at the end. Keys that begin with `left` are left out.
    package mutating func next(
        into batch: RecordBatch, beginningWith prefix: StaticString = "", leavingOut left: StaticString? = nil
    ) throws(CommandEnd) {
        batch.removeAll()
        while !Ending.isEnding {
            while !batch.isFull, let key = nextKey() {
                page.withUnsafeBytes { page in
                    let key = Bytes(rebasing: page[key])
                    if let left, key.begins(with: left) { return }
                    if listed?.add(key) != false { _ = batch.add(key) }
                }
            }
            if batch.isFull || isLast { break }
            try turnPage(beginningWith: prefix)
        }
    }

    /// How many keys begin with `prefix`, those that come twice counted twice; ends early where the command does.
    package static func count(
        _ store: OpenStore, beginningWith prefix: StaticString = ""
    ) throws(CommandEnd) -> UInt64 {
        var listing = try StoreListing(store)
        var count: UInt64 = 0
        while !listing.isLast && !Ending.isEnding {
            try listing.turnPage(beginningWith: prefix)
            while listing.nextKey() != nil { count += 1 }
        }
        return count
    }

    private mutating func turnPage(beginningWith prefix: StaticString) throws(CommandEnd) {
        // The store makes a page of the same size: never two beside that.
        (page, place) = ([], 0)
        var keys: [UInt8] = []
        var next: [UInt8] = []
        do throws(Failure) {
            try cursor.withBytes { cursor throws(Failure) in
                try store.records.list(beginningWith: prefix.bytes, after: cursor) { page, following in
                    keys = [UInt8](page)
                    next = [UInt8](following)
                    return true
                }
            }
        } catch {
            throw .complaint(store.name, "its installs could not be listed: \(error.message)")
        }
        page = keys
        cursor = next
        isLast = next.isEmpty
    }

    /// The range of the next key in the page, without its NUL; nil at the page's end.
    private mutating func nextKey() -> Range<Int>? {
        guard let end = page[place...].firstIndex(of: 0) else { return nil }
        defer { place = end + 1 }
        return place..<end
    }
}
