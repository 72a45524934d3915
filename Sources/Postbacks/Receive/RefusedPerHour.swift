internal import Synchronization

/// How many postbacks a receiver keeps apart in an hour, so that strangers cannot fill the store.
package final class RefusedPerHour: Sendable {
    private let most: UInt32
    /// The hour since 1970 in the upper half, how many were kept in it in the lower one.
    private let kept = Atomic<UInt64>(0)

    /// UInt32.max = no limit.
    package init(_ most: UInt32) { self.most = most }

    /// Whether one more may be kept in the hour of this moment, in microseconds.
    func take(at now: Int64) -> Bool {
        guard most != .max else { return true }
        let hour = self.hour(of: now)
        var seen = kept.load(ordering: .relaxed)
        while true {
            let count = (seen ^ hour) >> 32 == 0 ? seen & 0xFFFF_FFFF : 0
            guard count < most else { return false }
            let (isTaken, found) = kept.weakCompareExchange(
                expected: seen, desired: hour | (count &+ 1), ordering: .relaxed)
            if isTaken { return true }
            seen = found
        }
    }

    /// For one that was kept before.
    func giveBack(at now: Int64) {
        let hour = self.hour(of: now)
        var seen = kept.load(ordering: .relaxed)
        while (seen ^ hour) >> 32 == 0, seen & 0xFFFF_FFFF > 0 {
            let (isTaken, found) = kept.weakCompareExchange(expected: seen, desired: seen &- 1, ordering: .relaxed)
            if isTaken { return }
            seen = found
        }
    }

    private func hour(of now: Int64) -> UInt64 { UInt64(bitPattern: now / 3_600_000_000) << 32 }
}
