/// Tracks which partners may be called now, and the due entries that wait for their partner's turn.
///
/// A waiting entry is not examined until a call of its partner ends or its partner's pause is over. All moments are on
/// the clock of `millisecondsNow`. Not thread-safe.
struct PartnerTurns {
    private struct Turn {
        var underWay = 0
        /// The end of the pause that the partner asked for, in milliseconds.
        var heldUntil = Int64.min
        /// The entries in the order in which they became due; those before `next` have been taken.
        var waiting: [DueEntry] = []
        var next = 0

        var isEmpty: Bool { next == waiting.count }

        mutating func take() -> DueEntry {
            let first = waiting[next]
            next += 1
            // Taken entries are removed only once they are half of the array, so that each entry moves once on average.
            if next * 2 >= waiting.count {
                waiting.removeFirst(next)
                next = 0
            }
            return first
        }
    }

    /// Keyed by the partner's id.
    private var turns: [[UInt8]: Turn] = [:]
    /// The number of waiting entries of all partners.
    private(set) var waiting = 0

    /// Whether a call of a partner may begin. `atOnce`: the maximum number of concurrent calls of one partner.
    func mayBegin(_ partner: [UInt8], atOnce: Int, _ now: Int64) -> Bool {
        turns[partner].map { $0.underWay < atOnce && $0.heldUntil <= now } ?? true
    }

    mutating func hold(_ partner: [UInt8], until moment: Int64) {
        turns[partner, default: Turn()].heldUntil = max(turns[partner]?.heldUntil ?? .min, moment)
    }

    /// Changes the number of a partner's calls under way by `change`, which is negative for calls that end.
    mutating func count(_ partner: [UInt8], _ change: Int) {
        turns[partner, default: Turn()].underWay += change
        guard let turn = turns[partner], turn.underWay <= 0, turn.isEmpty, turn.heldUntil == .min else { return }
        turns[partner] = nil
    }

    mutating func wait(_ entry: DueEntry, for partner: [UInt8]) {
        turns[partner, default: Turn()].waiting.append(entry)
        waiting += 1
    }

    /// The moment from which `takeReady` returns an entry; the maximum if no entry waits, or all wait until a call
    /// ends.
    func nextReady(atOnce: Int) -> Int64 { first(atOnce)?.value.heldUntil ?? .max }

    /// Takes the first waiting entry of a partner that may be called now.
    mutating func takeReady(atOnce: Int, _ now: Int64) -> DueEntry? {
        guard let (partner, turn) = first(atOnce), turn.heldUntil <= now else { return nil }
        waiting -= 1
        return turns[partner]?.take()
    }

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

    /// Returns the partner whose pause ends first, of those with waiting entries and fewer than `atOnce` calls under
    /// way.
    private func first(_ atOnce: Int) -> (key: [UInt8], value: Turn)? {
        if waiting == 0 { return nil }
        return turns.filter { !$0.value.isEmpty && $0.value.underWay < atOnce }
            .min { $0.value.heldUntil < $1.value.heldUntil }
    }
}
