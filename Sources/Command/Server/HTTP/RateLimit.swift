import SKANSystem

/// Limits the requests per second of each client; all requests of one second may come at once. The table has a fixed
/// number of sets with four clients each. In a full set, a new client replaces the one with the fewest recent requests.
/// Thread-safe.
final class RateLimit: @unchecked Sendable {
    private struct Entry {
        var client: ClientAddress
        /// The time until which the client has used up its rate, on the clock of `microsecondsNow`.
        var end: UInt64
    }

    /// The time in microseconds that each request uses up: one second divided by the rate.
    private let perRequest: UInt64
    private let seed: UInt64
    private let lock = Lock()
    private var entries: [Entry]

    private static var ways: Int { 4 }
    private static var places: Int { 16_384 }
    private static var second: UInt64 { 1_000_000 }

    /// nil if the system gives no random numbers.
    convenience init?(perSecond: UInt32) {
        var seed: UInt64 = 0
        guard fillRandom(&seed) else { return nil }
        self.init(perSecond: perSecond, seed)
    }

    private init(perSecond: UInt32, _ seed: UInt64) {
        self.seed = seed
        perRequest = max(RateLimit.second / UInt64(max(perSecond, 1)), 1)
        let nobody = Entry(client: .nobody, end: 0)
        entries = [Entry](repeating: nobody, count: RateLimit.ways * RateLimit.places)
    }

    func admits(_ client: ClientAddress, at now: UInt64) -> Bool {
        let first = Int(truncatingIfNeeded: client.hash(seed) % UInt64(RateLimit.places)) * RateLimit.ways
        return lock.hold {
            let place = find(client, from: first)
            let end = entries[place].client == client ? max(entries[place].end, now) : now
            guard end - now <= RateLimit.second - perRequest else { return false }
            entries[place] = Entry(client: client, end: end + perRequest)
            return true
        }
    }

    /// Returns the index of the client's entry or, if the client has none, of the entry to replace. `first`: the index
    /// of the first entry in the client's set.
    private func find(_ client: ClientAddress, from first: Int) -> Int {
        var oldest = first
        for place in first..<first + RateLimit.ways {
            if entries[place].client == client { return place }
            if entries[place].end < entries[oldest].end { oldest = place }
        }
        return oldest
    }
}
