internal import SKANSystem

/// Saves for threads that wait: what comes while a save is under way goes together into the next call for many.
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

    /// An item of a thread that waits for it.
    private final class Waiting {
        var item: Item
        var isDone = false

        init(_ item: Item) { self.item = item }
    }

    /// `save` is called for at most so many items, of distinct keys, by one thread at a time.
    package init(
        upTo most: Int, isOfOneKey: @escaping (Item, Item) -> Bool, save: @escaping (Items) -> Void
    ) {
        self.most = most
        self.isOfOneKey = isOfOneKey
        self.save = save
        items = Items.allocate(capacity: most)
    }

    deinit { items.deallocate() }

    /// Saves an item, alone or with those of other threads; answers it as it was left.
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

    /// The monitor is held, except while the store is called.
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

    /// Takes those out of the line that fit into one call and have no key in common.
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
