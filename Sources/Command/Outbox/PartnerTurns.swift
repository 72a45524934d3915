/// The partners that may be called now, and the entries that are due and wait until their partner may be.
///
/// An entry that waits here costs nothing until one of its partner's calls ends. Not for several threads at once.
struct PartnerTurns {
    private struct Turn {
        var underWay = 0
        /// The entries in the order in which they became due; those before `next` have been taken.
        var waiting: [DueEntry] = []
        var next = 0

        var isEmpty: Bool { next == waiting.count }

        mutating func take() -> DueEntry {
            let first = waiting[next]
            next += 1
            // Half of the memory is given up at a time, so that an entry is moved once on average.
            if next * 2 >= waiting.count {
                waiting.removeFirst(next)
                next = 0
            }
            return first
        }
    }

    /// The turn of each partner, by the partner's id.
    private var turns: [[UInt8]: Turn] = [:]
    /// The number of entries that wait here.
    private(set) var waiting = 0

    /// `atOnce`: the most calls of one partner that may be under way.
    func mayBegin(_ partner: [UInt8], atOnce: Int) -> Bool { turns[partner].map { $0.underWay < atOnce } ?? true }

    /// Counts calls that begin, or with a negative number those that end.
    mutating func count(_ partner: [UInt8], _ change: Int) {
        turns[partner, default: Turn()].underWay += change
        if let turn = turns[partner], turn.underWay <= 0, turn.isEmpty { turns[partner] = nil }
    }

    mutating func wait(_ entry: DueEntry, for partner: [UInt8]) {
        turns[partner, default: Turn()].waiting.append(entry)
        waiting += 1
    }

    /// Whether `takeReady` has an entry.
    func hasReady(atOnce: Int) -> Bool { ready(atOnce) != nil }

    /// Takes the first entry of a partner that may be called.
    mutating func takeReady(atOnce: Int) -> DueEntry? {
        guard let partner = ready(atOnce) else { return nil }
        waiting -= 1
        return turns[partner]?.take()
    }

    /// Takes all entries that wait.
    mutating func takeAll() -> [DueEntry] {
        let all = turns.values.flatMap { $0.waiting[$0.next...] }
        for partner in [[UInt8]](turns.keys) {
            turns[partner]?.waiting = []
            turns[partner]?.next = 0
            count(partner, 0)
        }
        waiting = 0
        return all
    }

    /// A partner that may be called and for which an entry waits.
    private func ready(_ atOnce: Int) -> [UInt8]? {
        if waiting == 0 { return nil }
        return turns.first { !$0.value.isEmpty && $0.value.underWay < atOnce }?.key
    }
}
