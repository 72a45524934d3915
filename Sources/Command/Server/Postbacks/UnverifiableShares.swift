internal import SKANPostbackReceiving
internal import SKANSystem

/// Counts the unverifiable postbacks that were stored for each client in the current hour and day, so that one client
/// cannot crowd out the others. Thread-safe.
final class UnverifiableShares: @unchecked Sendable {
    private struct Taken {
        var inHour: UInt64 = 0
        var onDay: UInt64 = 0
    }

    private let share: UInt64
    private let lock = Lock()
    /// Hours since 1970.
    private var hour: Int64 = 0
    private var taken: [ClientAddress: Taken] = [:]

    /// The maximum number of clients that are remembered; all others count as one.
    private static var most: Int { 16_384 }
    /// The number of stored postbacks per day up to which a client counts as a rare sender.
    private static var few: UInt64 { 4 }

    init(_ budget: RefusedBudget) { share = budget.unverifiableShare }

    /// Counts a postback of a client at this time in microseconds, and returns the kind of sender; nil if it must not
    /// be stored. Counts start again only in a later hour or day, or if the clock was set back by more than an hour.
    func take(_ client: ClientAddress, at now: Int64) -> UnverifiableSender? {
        let current = now / 3_600_000_000
        return lock.hold {
            enter(current)
            let isKnown = taken[client] != nil || taken.count < UnverifiableShares.most
            let counted = isKnown ? client : .nobody
            var count = taken[counted] ?? Taken()
            if count.inHour >= share { return nil }
            count.inHour += 1
            count.onDay += 1
            taken[counted] = count
            return count.onDay <= UnverifiableShares.few ? .rare : .frequent
        }
    }

    private func enter(_ current: Int64) {
        guard current > hour || current < hour - 1 else { return }
        if current / 24 == hour / 24 {
            for client in taken.keys { taken[client]?.inHour = 0 }
        } else {
            taken = [:]
        }
        hour = current
    }
}
