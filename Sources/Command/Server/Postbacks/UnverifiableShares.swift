internal import SKANPostbackReceiving
internal import SKANSystem

/// How many unverifiable postbacks each client has had kept in this hour, so that those that one client makes do not hide
/// the others'. Any thread.
final class UnverifiableShares: @unchecked Sendable {
    private let share: UInt64
    private let lock = Lock()
    /// Since 1970.
    private var hour: Int64 = 0
    private var counts: [ClientAddress: UInt64] = [:]

    /// Clients that are remembered; all others are one.
    private static var most: Int { 16_384 }

    init(_ budget: RefusedBudget) { share = budget.unverifiableShare }

    /// Whether one more of a client may be kept, at this moment in microseconds. Only a later hour begins anew, or a clock
    /// that was set back by more than an hour.
    func take(_ client: ClientAddress, at now: Int64) -> Bool {
        let current = now / 3_600_000_000
        return lock.hold {
            if current > hour || current < hour - 1 {
                hour = current
                counts = [:]
            }
            let isKnown = counts[client] != nil || counts.count < UnverifiableShares.most
            let counted = isKnown ? client : .nobody
            let count = counts[counted] ?? 0
            if count >= share { return false }
            counts[counted] = count + 1
            return true
        }
    }
}
