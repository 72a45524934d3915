internal import CSKANSystem

/// Saves for threads that wait: what comes while a save is under way goes together into the next call for many.
package final class GroupSaver<Item>: @unchecked Sendable {
    package typealias Items = UnsafeMutableBufferPointer<Item>

    private let most: Int
    private let isOfOneKey: (Item, Item) -> Bool
    private let save: (Items) -> Void
    private let items: Items
    private let lock = UnsafeMutablePointer<Lock>.allocate(capacity: 1)
    private var waiting: [Waiting] = []
    /// A thread saves for others, and has `items`.
    private var isSaving = false

    private struct Lock {
        var mutex = pthread_mutex_t()
        var changed = pthread_cond_t()
    }

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
        lock.initialize(to: Lock())
        pthread_mutex_init(&lock.pointee.mutex, nil)
        pthread_cond_init(&lock.pointee.changed, nil)
    }

    deinit {
        pthread_cond_destroy(&lock.pointee.changed)
        pthread_mutex_destroy(&lock.pointee.mutex)
        lock.deallocate()
        items.deallocate()
    }

    /// Saves an item, alone or with those of other threads; answers it as it was left.
    package func save(_ item: Item) -> Item {
        let own = Waiting(item)
        pthread_mutex_lock(&lock.pointee.mutex)
        waiting.append(own)
        while !own.isDone {
            if isSaving {
                pthread_cond_wait(&lock.pointee.changed, &lock.pointee.mutex)
            } else {
                saveWaiting()
            }
        }
        pthread_mutex_unlock(&lock.pointee.mutex)
        return own.item
    }

    /// The mutex is held, except while the store is called.
    private func saveWaiting() {
        let taken = take()
        for (index, each) in taken.enumerated() { items.initializeElement(at: index, to: each.item) }
        isSaving = true
        pthread_mutex_unlock(&lock.pointee.mutex)
        let group = Items(rebasing: items[..<taken.count])
        save(group)
        pthread_mutex_lock(&lock.pointee.mutex)
        for (index, each) in taken.enumerated() {
            each.item = items.moveElement(from: index)
            each.isDone = true
        }
        isSaving = false
        pthread_cond_broadcast(&lock.pointee.changed)
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
