import SKANCommandStores
import SKANSystem
import Testing

/// A store of Redis lists keys twice while others write, and after a server was restarted.
@Test func aWalkVisitsEachRecordOnceThoughTheStoreListsItTwice() throws {
    let keys = (0..<3000).map { [UInt8]("install-\($0)".utf8) }
    let shelf = Shelf(Dictionary(uniqueKeysWithValues: keys.map { ($0, [1]) }))
    var visits: [[UInt8]: Int] = [:]
    let walk = StoreWalk(try shelf.openedByCommand(), printsData: false) { key, _, _ in
        visits[[UInt8](key), default: 0] += 1
    }
    #expect(walk.isComplete)
    #expect(visits.count == keys.count)
    #expect(visits.values.allSatisfy { $0 == 1 })
}
