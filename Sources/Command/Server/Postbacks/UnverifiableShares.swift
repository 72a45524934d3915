import SKANPostbackReceiving
import SKANSystem

/// Counts the unverifiable postbacks that were stored for each client on the current day, so that one client cannot
/// crowd out the others. Thread-safe.
final class UnverifiableShares: @unchecked Sendable {
    /// The maximum number of bytes of one client's postbacks that are stored on a day.
    private let share: UInt64
    private let lock = Lock()
    /// The day that is counted, in days since 1970.
    private var day: Int64 = 0
    private var taken: [ClientAddress: RefusedAmount] = [:]

    /// The maximum number of clients that are counted separately; all others count as one client.
    private static var most: Int { 16_384 }
    /// The number of stored postbacks per day up to which a client counts as a rare sender.
    private static var few: UInt64 { 4 }

    init(_ budget: RefusedBudget) { share = budget.unverifiableShare }

    /// Counts one more postback of this size from a client, at a moment in microseconds. Returns the client's kind of
    /// sender; nil if the postback may not be stored. The counts are reset on a later day, or when the clock was set
    /// back by more than a day.
    func take(_ client: ClientAddress, _ bytes: UInt64, at now: Int64) -> UnverifiableSender? {
        let current = now / 86_400_000_000
        return lock.hold {
            if current > day || current < day - 1 {
                taken = [:]
                day = current
            }
            let isKnown = taken[client] != nil || taken.count < UnverifiableShares.most
            let counted = isKnown ? client : .nobody
            var amount = taken[counted] ?? RefusedAmount()
            guard amount.hasRoom(for: bytes, within: share) else { return nil }
            amount.add(bytes)
            taken[counted] = amount
            return amount.count <= UnverifiableShares.few ? .rare : .frequent
        }
    }
}
