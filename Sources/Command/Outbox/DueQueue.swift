/// An entry of the outbox that this process knows of.
package final class DueEntry {
    package let key: [UInt8]
    /// Microseconds since 1970.
    package fileprivate(set) var due: Int64
    /// Its postback was counted, says who prepared it: it is not waited for.
    package fileprivate(set) var isActivated: Bool
    /// The time at which it is due again if it was added while it was taken; else the greatest number.
    fileprivate var dueAgain = Int64.max
    /// The place among those that wait; nil for one that is taken.
    fileprivate var place: Int?

    fileprivate init(_ key: [UInt8], due: Int64, isActivated: Bool) {
        self.key = key
        self.due = due
        self.isActivated = isActivated
    }
}

/// What became of an entry that was added to a queue.
package enum DueAdmission {
    case known
    /// It is, but others that are due later were forgotten for it.
    case knownForOthers
    /// There was no room for one that is due as late.
    case refused
}

/// The entries that are known, by when they are due. Not for several threads at once.
///
/// Where it is full it forgets the half that is due last, and takes in none that is due as late until half of it is
/// empty.
package final class DueQueue {
    private let capacity: Int
    private var known: [[UInt8]: DueEntry] = [:]
    /// A binary heap: no entry is due before its parent.
    private var waiting: [DueEntry] = []
    /// What is due then or later is not taken in, for some of it was forgotten; nil where nothing was.
    private var horizon: Int64?

    package init(capacity: Int) { self.capacity = capacity }

    /// How many are known, those that are taken too.
    package var count: Int { known.count }

    /// The time at which the first one that waits is due; the greatest number for none.
    package var nextDue: Int64 { waiting.first?.due ?? .max }

    /// Adds an entry, or brings one that is known forward, once it is returned if it is taken.
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

    /// The entry that is due first, if it is now: taken until it is returned or forgotten.
    package func takeDue(_ now: Int64) -> DueEntry? {
        guard let first = waiting.first, first.due <= now, let last = waiting.popLast() else { return nil }
        if first !== last { sink(last, from: 0) }
        first.place = nil
        first.dueAgain = .max
        return first
    }

    /// One that was taken waits again.
    package func putBack(_ entry: DueEntry, due: Int64) {
        entry.due = min(due, entry.dueAgain)
        wait(entry)
    }

    /// Takes an entry that was taken before and waited for its partner's turn. If it was added again meanwhile, that is
    /// forgotten, because it is told now.
    package func takeAnew(_ entry: DueEntry) { entry.dueAgain = .max }

    /// One that was taken is not known any more.
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

    /// What is in order is a heap.
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
