/// An outbox entry that this process knows.
package final class DueEntry {
    package let key: [UInt8]
    /// Microseconds since 1970.
    package fileprivate(set) var due: Int64
    /// Whether this process has counted the entry's postback, so that the entry can be reported at once.
    package fileprivate(set) var isActivated: Bool
    /// If the entry was added again while it was taken, the due time given then; otherwise the maximum.
    fileprivate var dueAgain = Int64.max
    /// The entry's index in the heap; nil while the entry is taken.
    fileprivate var place: Int?

    fileprivate init(_ key: [UInt8], due: Int64, isActivated: Bool) {
        self.key = key
        self.due = due
        self.isActivated = isActivated
    }
}

/// The result of adding an entry to a queue.
package enum DueAdmission {
    case known
    /// The entry was added. To make room, the queue forgot the entries due last, which stay in the store.
    case knownForOthers
    /// The entry was not added, because there was no room for an entry due so late.
    case refused
}

/// The entries that this process knows, by due time. Not thread-safe.
///
/// When the queue is full, it forgets the half of the waiting entries that is due last. Until it is less than half
/// full, it then refuses entries due as late as the forgotten ones.
package final class DueQueue {
    private let capacity: Int
    private var known: [[UInt8]: DueEntry] = [:]
    /// The entries that are not taken, as a binary heap: no entry is due before its parent.
    private var waiting: [DueEntry] = []
    /// Entries that are due at this time or later are refused; nil if all are accepted.
    private var horizon: Int64?

    package init(capacity: Int) { self.capacity = capacity }

    /// The number of known entries, including those that are taken.
    package var count: Int { known.count }

    /// The due time of the first waiting entry; the maximum if none waits.
    package var nextDue: Int64 { waiting.first?.due ?? .max }

    /// Adds an entry, or makes a known one due earlier. For a taken entry, the earlier time applies once it is put
    /// back.
    package func add(_ key: [UInt8], due: Int64, isActivated: Bool) -> DueAdmission {
        if let found = known[key] {
            if isActivated { found.isActivated = true }
            bringForward(found, to: due)
            return .known
        }
        if count < capacity / 2 { horizon = nil }
        guard isWithinHorizon(due) else { return .refused }
        let isFull = count == capacity
        if isFull { forgetLate() }
        guard isWithinHorizon(due), count < capacity else { return .refused }
        let entry = DueEntry(key, due: due, isActivated: isActivated)
        known[key] = entry
        wait(entry)
        return isFull ? .knownForOthers : .known
    }

    /// Takes the entry that is due first, if it is due by `now`. It stays known as taken until it is put back or
    /// forgotten.
    package func takeDue(_ now: Int64) -> DueEntry? {
        guard let first = waiting.first, first.due <= now, let last = waiting.popLast() else { return nil }
        if first !== last { sink(last, from: 0) }
        first.place = nil
        first.dueAgain = .max
        return first
    }

    package func putBack(_ entry: DueEntry, due: Int64) {
        entry.due = min(due, entry.dueAgain)
        wait(entry)
    }

    /// Begins an attempt for a taken entry, after it waited for its partner's turn. Forgets a due time that was added
    /// meanwhile, because the entry is reported now.
    package func takeAnew(_ entry: DueEntry) { entry.dueAgain = .max }

    package func forget(_ entry: DueEntry) { known[entry.key] = nil }

    private func isWithinHorizon(_ due: Int64) -> Bool { horizon.map { due < $0 } ?? true }

    private func bringForward(_ entry: DueEntry, to due: Int64) {
        if let place = entry.place {
            guard due < entry.due else { return }
            entry.due = due
            rise(entry, from: place)
        } else {
            entry.dueAgain = min(due, entry.dueAgain)
        }
    }

    /// Forgets the half of the waiting entries that is due last. A sorted array is a valid heap.
    private func forgetLate() {
        waiting.sort { $0.due < $1.due }
        for (place, entry) in waiting.enumerated() { entry.place = place }
        let late = waiting.dropFirst(waiting.count / 2)
        if let first = late.first { horizon = first.due }
        for entry in late { forget(entry) }
        waiting.removeLast(late.count)
    }

    // MARK: The heap

    private func wait(_ entry: DueEntry) {
        waiting.append(entry)
        rise(entry, from: waiting.count - 1)
    }

    private func rise(_ entry: DueEntry, from place: Int) {
        var place = place
        while place > 0 {
            let parent = (place - 1) / 2
            guard waiting[parent].due > entry.due else { break }
            put(waiting[parent], at: place)
            place = parent
        }
        put(entry, at: place)
    }

    private func sink(_ entry: DueEntry, from place: Int) {
        var place = place
        while true {
            var child = place * 2 + 1
            guard child < waiting.count else { break }
            if child + 1 < waiting.count, waiting[child + 1].due < waiting[child].due { child += 1 }
            guard waiting[child].due < entry.due else { break }
            put(waiting[child], at: place)
            place = child
        }
        put(entry, at: place)
    }

    private func put(_ entry: DueEntry, at place: Int) {
        waiting[place] = entry
        entry.place = place
    }
}
