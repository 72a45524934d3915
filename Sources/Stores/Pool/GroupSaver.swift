internal import SKANSystem

/// Groups the saves of several threads. Items that arrive during a save are saved together in the next call. Each
/// thread waits until its item is saved.
package final class GroupSaver<Item>: @unchecked Sendable {
    package typealias Items = UnsafeMutableBufferPointer<Item>

    private let most: Int
    private let isOfOneKey: (Item, Item) -> Bool
    private let save: (Items) -> Void
    private let items: Items
    private let monitor = Monitor()
    private var waiting: [Waiting] = []
    /// Whether a thread is saving for the others and uses `items`.
    private var isSaving = false

    /// An item whose thread waits until it is saved.
    private final class Waiting {
        var item: Item
        var isDone = false

        init(_ item: Item) { self.item = item }
    }

    /// Creates a saver. It calls `save` on one thread at a time, with at most `most` items, all with different keys.
    /// `isOfOneKey` says whether two items have the same key.
    package init(
        upTo most: Int, isOfOneKey: @escaping (Item, Item) -> Bool, save: @escaping (Items) -> Void
    ) {
        self.most = most
        self.isOfOneKey = isOfOneKey
        self.save = save
        items = Items.allocate(capacity: most)
    }

    deinit { items.deallocate() }

    /// Saves an item, alone or together with items of other threads. Returns the item with the results that the `save`
    /// function stored in it.
    package func save(_ item: Item) -> Item {
        let own = Waiting(item)
        monitor.hold {
            waiting.append(own)
            while !own.isDone {
                if isSaving { monitor.wait() } else { saveWaiting() }
            }
        }
        return own.item
    }

    /// Saves the next group. The caller holds the monitor, which is released during the save.
    private func saveWaiting() {
        let taken = take()
        for (index, each) in taken.enumerated() { items.initializeElement(at: index, to: each.item) }
        isSaving = true
        monitor.give()
        save(Items(rebasing: items[..<taken.count]))
        monitor.take()
        for (index, each) in taken.enumerated() {
            each.item = items.moveElement(from: index)
            each.isDone = true
        }
        isSaving = false
        monitor.broadcast()
    }

    /// Takes as many waiting items as fit into one call, no two of them with the same key.
    private func take() -> [Waiting] {
        var taken: [Waiting] = []
        var left: [Waiting] = []
        for each in waiting {
            let isFree = taken.count < most && !taken.contains { isOfOneKey($0.item, each.item) }
            if isFree { taken.append(each) } else { left.append(each) }
        }
        waiting = left
        return taken
    }
}
