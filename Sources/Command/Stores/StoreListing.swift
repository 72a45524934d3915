package import SKANCommandOutput
import SKANCore
import SKANStorePool
import SKANSystem

/// The keys of a store, batch by batch, in the order of the store's listing. A key that the store lists twice may be in
/// two batches, but never twice in one. With `givesEachKeyOnce`, it is given only once.
package struct StoreListing {
    private let store: OpenStore
    private var cursor: [UInt8] = []
    private var page: [UInt8] = []
    /// The index in `page` of the next key's first byte.
    private var place = 0
    /// Whether no page follows.
    private var isLast = false
    /// nil if repeated keys need not be left out.
    private var listed: ListedKeys?

    package init(_ store: OpenStore, givesEachKeyOnce: Bool = false) throws(CommandEnd) {
        guard store.canList else {
            throw .complaint(store.name, "this store cannot list its installs")
        }
        self.store = store
        if givesEachKeyOnce && !store.listsEachKeyOnce { listed = ListedKeys() }
    }

    /// Fills the batch with the next keys that begin with `prefix`, except those that begin with one of `left`. The
    /// batch stays empty at the end. `prefix` must be the same in all calls.
    package mutating func next(
        into batch: RecordBatch, beginningWith prefix: StaticString = "", leavingOut left: [StaticString] = []
    ) throws(CommandEnd) {
        batch.removeAll()
        while !Ending.isEnding {
            while !batch.isFull, let key = nextKey() {
                page.withUnsafeBytes { page in
                    let key = Bytes(rebasing: page[key])
                    if left.contains(where: { key.begins(with: $0) }) { return }
                    if listed?.add(key) != false { _ = batch.add(key) }
                }
            }
            if batch.isFull || isLast { break }
            try turnPage(beginningWith: prefix)
        }
    }

    /// Returns the number of keys that begin with `prefix`. A key that is listed twice counts twice. Stops early if the
    /// command is ending.
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
        // The old page is freed first, so that there are never two besides the store's.
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

    /// Returns the range of the next key in the page, without its NUL; nil at the end of the page.
    private mutating func nextKey() -> Range<Int>? {
        guard let end = page[place...].firstIndex(of: 0) else { return nil }
        defer { place = end + 1 }
        return place..<end
    }
}
