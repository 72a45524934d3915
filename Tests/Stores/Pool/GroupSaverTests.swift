import Foundation
import SKANStorePool
import Synchronization
import Testing

private struct Item {
    let key: Int
    var isSaved = false
}

private final class Tally: Sendable {
    let calls = Atomic(0)
    let largest = Atomic(0)
    let mixed = Atomic(0)
    let saved = Atomic(0)
}

@Test func threadsThatWaitAreSavedTogether() async throws {
    let tally = Tally()
    let saver = GroupSaver<Item>(upTo: 4) {
        $0.key == $1.key
    } save: { items in
        tally.calls.add(1, ordering: .relaxed)
        tally.largest.max(items.count, ordering: .relaxed)
        if Set(items.map(\.key)).count != items.count { tally.mixed.add(1, ordering: .relaxed) }
        usleep(2000)
        for index in items.indices { items[index].isSaved = true }
    }
    await withTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
            group.addTask {
                await withUnsafeContinuation { continuation in
                    Thread.detachNewThread {
                        for round in 0..<20 where saver.save(Item(key: (number + round) % 6)).isSaved {
                            tally.saved.add(1, ordering: .relaxed)
                        }
                        continuation.resume()
                    }
                }
            }
        }
    }
    #expect(tally.saved.load(ordering: .relaxed) == 160)
    #expect(tally.mixed.load(ordering: .relaxed) == 0)
    #expect(2...4 ~= tally.largest.load(ordering: .relaxed))
    #expect(tally.calls.load(ordering: .relaxed) < 160)
}
