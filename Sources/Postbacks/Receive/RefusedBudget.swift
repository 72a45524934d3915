internal import SKANSystem

/// How much a receiver keeps apart, at most: of each sort by itself, so that none hides another. Bytes are those of
/// `RefusedSort.bytes`.
package struct RefusedLimits: Sendable {
    package var perHour: UInt64 = 10_000
    package var bytesPerHour: UInt64 = 64 << 20
    package var inAll: UInt64 = 50_000
    package var bytesInAll: UInt64 = 256 << 20

    package init() {}
}

/// How many there are, and their bytes.
package struct RefusedAmount: Equatable, Sendable {
    package var count: UInt64 = 0
    package var bytes: UInt64 = 0

    package init() {}

    package mutating func add(_ bytes: UInt64) {
        count &+= 1
        self.bytes &+= bytes
    }

    fileprivate mutating func take(_ bytes: UInt64) {
        guard count > 0, self.bytes >= bytes else { return }
        count &-= 1
        self.bytes &-= bytes
    }
}

/// What was kept apart, so that strangers cannot fill the store.
package final class RefusedBudget: @unchecked Sendable {
    private let limits: RefusedLimits
    private let lock = Lock()
    /// Since 1970.
    private var hour: Int64 = 0
    /// Of each sort, in this hour; then of each sort, in all.
    private var kept = InlineArray<6, RefusedAmount>(repeating: RefusedAmount())

    package init(_ limits: RefusedLimits) { self.limits = limits }

    /// Whether one more of a sort may be kept at this moment, in microseconds.
    @_optimize(size)
    @inline(never)
    func take(_ sort: RefusedSort, _ bytes: UInt64, at now: Int64) -> Bool {
        lock.take()
        defer { lock.give() }
        let sorts = RefusedSort.count
        if hour != now / hourLength {
            hour = now / hourLength
            for place in 0..<sorts { kept[place] = RefusedAmount() }
        }
        let (inHour, inAll) = (kept[sort.rawValue], kept[sort.rawValue &+ sorts])
        guard inHour.count < limits.perHour, inAll.count < limits.inAll,
            limits.bytesPerHour >= bytes, inHour.bytes <= limits.bytesPerHour &- bytes,
            limits.bytesInAll >= bytes, inAll.bytes <= limits.bytesInAll &- bytes
        else { return false }
        kept[sort.rawValue].add(bytes)
        kept[sort.rawValue &+ sorts].add(bytes)
        return true
    }

    /// For one that stands in the store already, or does not come there.
    @_optimize(size)
    @inline(never)
    func giveBack(_ sort: RefusedSort, _ bytes: UInt64, at now: Int64) {
        lock.take()
        if hour == now / hourLength { kept[sort.rawValue].take(bytes) }
        kept[sort.rawValue &+ RefusedSort.count].take(bytes)
        lock.give()
    }

    // MARK: In all

    /// As far as this receiver knows.
    package func inAll(_ sort: RefusedSort) -> RefusedAmount {
        lock.hold { kept[sort.rawValue &+ RefusedSort.count] }
    }

    /// So much was found in the store while it was gone through, and `before` was known when that began: what came
    /// meanwhile is on top of it. One that was on its way to the store when that began may be missed, until the next time.
    package func count(_ found: RefusedAmount, of sort: RefusedSort, before: RefusedAmount) {
        lock.hold {
            let place = sort.rawValue &+ RefusedSort.count
            kept[place].count = found.count &+ (kept[place].count &- min(before.count, kept[place].count))
            kept[place].bytes = found.bytes &+ (kept[place].bytes &- min(before.bytes, kept[place].bytes))
        }
    }
}

/// In microseconds.
private var hourLength: Int64 { 3_600_000_000 }
