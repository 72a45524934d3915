import Synchronization

/// Rules, "Update numbers": chooses where the update numbers of a new record start. A record stores the number of its
/// last update. This object remembers the greatest such number of the records that its engine removed, so that a new
/// record begins above it.
package struct UpdateNumbers: ~Copyable {
    private let greatest = Atomic<UInt64>(0)

    package init() {}

    /// Returns the number below that of a new record's first update. `now`: the time of that update, in microseconds
    /// since 1970.
    @inline(__always)
    package borrowing func start(at now: Int64) -> UInt64 {
        max(UInt64(max(min(now, UpdateNumbers.latest), 0)), greatest.load(ordering: .relaxed))
    }

    /// Notes that a record was removed. `number` is the number of the record's last update.
    package borrowing func forget(upTo number: UInt64) {
        guard number < UInt64(UpdateNumbers.limit) else { return }
        var known = greatest.load(ordering: .relaxed)
        while known < number {
            let (isExchanged, found) = greatest.weakCompareExchange(
                expected: known, desired: number, ordering: .relaxed)
            if isExchanged { return }
            known = found
        }
    }

    /// The limit of update numbers: every number below 2⁵³ is exact in JSON.
    private static var limit: Int64 { 1 << 53 }
    /// The latest time that `start` returns. It leaves a new record at least 2³² numbers.
    private static var latest: Int64 { limit &- 1 << 32 }
}
