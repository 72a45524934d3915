internal import SKANPostbackReceiving
internal import SKANSystem

/// How many unverifiable postbacks each client has had kept in this hour and on this day, so that those that one client
/// makes do not hide the others'. Any thread.
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

    /// Clients that are remembered; all others are one.
    private static var most: Int { 16_384 }
    /// The most postbacks that a client may have kept on a day and still count as a rare sender.
    private static var few: UInt64 { 4 }

    init(_ budget: RefusedBudget) { share = budget.unverifiableShare }

    /// What a client is that sends one more, at this moment in microseconds; nil where it may not be kept. Only a later
    /// hour or day begins anew, or a clock that was set back by more than an hour.
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
