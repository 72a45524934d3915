import SKANCommandOutput
import SKANCommandStores
import SKANCore
import Testing

struct StoreListingTests {
    private func keys(_ batch: RecordBatch) -> [String] {
        (0..<batch.count).map { String(decoding: batch.key($0), as: UTF8.self) }
    }

    private func text(_ message: Message) -> String { String(decoding: message.utf8, as: UTF8.self) }

    @Test func aKeyComesOnceWithinABatch() throws {
        let store = try opened(ListedKeys(pages: [["a", "b", "a"], [], ["b", "c"]]))
        var listing = try StoreListing(store)
        let batch = RecordBatch()
        try listing.next(into: batch)
        #expect(keys(batch) == ["a", "b", "c"])
        try listing.next(into: batch)
        #expect(batch.count == 0)
        #expect(try StoreListing.count(store) == 5)
    }

    @Test func aFullBatchLeavesTheRestOfAPage() throws {
        let names = (0..<Limits.batchItems + 10).map { "player-\($0)" }
        let store = try opened(ListedKeys(pages: [names]))
        var listing = try StoreListing(store)
        let batch = RecordBatch()
        try listing.next(into: batch)
        #expect(keys(batch) == Array(names.prefix(Limits.batchItems)))
        try listing.next(into: batch)
        #expect(keys(batch) == Array(names.suffix(10)))
    }

    @Test func aStoreThatCannotListSaysSo() throws {
        let store = try opened(ListedKeys(), canList: false)
        do throws(CommandEnd) {
            _ = try StoreListing(store)
            Issue.record("it lists")
        } catch {
            guard case .complaint(let what, let why, .found) = error else { throw error }
            #expect(text(what) == "test:x" && text(why) == "this store cannot list its installs")
        }
    }

    @Test func aListingThatFailsTellsTheStoresWords() throws {
        let store = try opened(ListedKeys(pages: [["a"], ["b"]], failingPage: 1))
        var listing = try StoreListing(store)
        do throws(CommandEnd) {
            try listing.next(into: RecordBatch())
            Issue.record("it lists")
        } catch {
            guard case .complaint(_, let why, _) = error else { throw error }
            #expect(text(why) == "its installs could not be listed: the disk is gone")
        }
    }

    @Test func aWalkNamesWhatCannotBeLoadedAndGoesOn() throws {
        let store = try opened(ListedKeys(pages: [["a", "b"], ["c"]], failing: ["b"], missing: ["c"]))
        var seen: [String] = []
        let walk = StoreWalk(store, printsData: true) { batch in
            for index in 0..<batch.count {
                seen.append("\(keys(batch)[index]) \(text("\(batch.status(index).name)")) \(batch.record(index).count)")
            }
            return true
        }
        #expect(walk.isComplete && walk.failed == 1)
        #expect(seen == ["a SKAN_OK 1", "b SKAN_ERROR_STORE 0", "c SKAN_NOT_FOUND 0"])
    }

    @Test func aWalkEndsWhereItsVisitorSays() throws {
        let walk = StoreWalk(try opened(ListedKeys(pages: [["a"]])), printsData: true) { _ in false }
        #expect(!walk.isComplete && walk.failed == 0)
    }

    @Test func aBatchTellsItsKeysByTheirBytes() {
        let batch = RecordBatch()
        func add(_ key: String) -> Bool { Array(key.utf8).withUnsafeBytes { batch.add($0) } }
        #expect(add("a") && add("b") && !add("a") && add(""))
        batch.removeAll()
        #expect(batch.count == 0 && add("a"))
    }

    @Test func aRemoveOfUnknownEndIsLookedAt() throws {
        let store = try opened(ListedKeys(missing: ["gone"]))
        func removed(_ key: String, _ version: UInt64) -> Status {
            Array(key.utf8).withUnsafeBytes { store.remove($0, version: version) }
        }
        #expect(removed("gone", 1) == .ok)
        #expect(removed("there", 1) == .store)
        #expect(removed("there", 2) == .storeConflict)
    }
}
