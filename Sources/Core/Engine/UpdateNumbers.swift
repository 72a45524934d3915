import Synchronization

/// Rules, "Update numbers": gives the number after which a new record numbers its updates. A record stores the number
/// of its last update. This object remembers the greatest such number of the records that its engine removed, so that a
/// new record begins above it.
package struct UpdateNumbers: ~Copyable {
    private let greatest = Atomic<UInt64>(0)

    package init() {}

    /// The number after which a new record numbers its updates, if the first of them is made at `now`, in microseconds
    /// since 1970.
    @inline(__always)
    package borrowing func start(at now: Int64) -> UInt64 {
        max(UInt64(max(min(now, UpdateNumbers.latest), 0)), greatest.load(ordering: .relaxed))
    }

    /// Notes that a record was removed whose last update has this number.
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
    /// The latest time that is used as a start. It leaves a record at least 2³² numbers.
    private static var latest: Int64 { limit &- 1 << 32 }
}
