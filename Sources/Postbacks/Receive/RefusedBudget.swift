internal import SKANSystem

/// The most that a receiver stores of refused postbacks: of each sort by itself, so that none hides another. Bytes are
/// those of `RefusedSort.bytes`.
package struct RefusedLimits: Sendable {
    package var perHour: UInt64 = 10_000
    package var bytesPerHour: UInt64 = 64 << 20
    package var inAll: UInt64 = 50_000
    package var bytesInAll: UInt64 = 256 << 20

    package init() {}

    fileprivate var half: RefusedLimits {
        var half = self
        half.perHour /= 2
        half.bytesPerHour /= 2
        half.inAll /= 2
        half.bytesInAll /= 2
        return half
    }
}

/// The number of postbacks, and of their bytes.
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

/// The sender of an unverifiable postback, as far as a receiver knows.
package enum UnverifiableSender: Sendable {
    /// The receiver does not distinguish senders.
    case anybody
    /// A client of whose earlier unverifiable postbacks few were stored.
    case rare
    /// A client of whose earlier unverifiable postbacks many were stored.
    case frequent
}

/// What the budget gave to one record: it is given back where the record does not come into the store.
struct RefusedShare {
    fileprivate let sort: RefusedSort
    /// The index in the counts of unknown names; nil for other sorts.
    fileprivate let name: Int?
    fileprivate let bytes: UInt64
    /// The hour that it was counted in, by `RefusedBudget.hours`.
    fileprivate let hour: UInt64
}

/// The amounts of refused postbacks that are stored separately, so that untrusted input cannot fill the store.
package final class RefusedBudget: @unchecked Sendable {
    private let limits: RefusedLimits
    private let lock = Lock()
    /// The number of the hour that is counted, since 1970.
    private var hour: Int64 = 0
    /// How many hours were begun.
    private var hours: UInt64 = 0
    /// The amounts of each sort in this hour, then those of each sort in all.
    private var kept = InlineArray<8, RefusedAmount>(repeating: RefusedAmount())
    /// The unverifiable postbacks of this hour, by the version or key that is not known.
    private var named = InlineArray<256, UInt64>(repeating: 0)

    package init(_ limits: RefusedLimits) { self.limits = limits }

    /// The most unverifiable postbacks of an hour from one client, or with one unknown version or key, so that many of
    /// them do not hide the first of another.
    package var unverifiableShare: UInt64 { max(limits.perHour / 16, 1) }

    /// The share of one more of a sort, at this moment in microseconds; nil where it may not be kept.
    ///
    /// - Parameters:
    ///   - sender: Of an unverifiable one. Frequent senders may fill half of each limit, so that they hide nothing that
    ///     a rare one sends; with a name that frequent senders send too, a rare one has a quarter of an hour's.
    ///   - unknown: The version or key of an unverifiable one.
    @_optimize(size)
    @inline(never)
    func take(
        _ sort: RefusedSort, _ bytes: UInt64, at now: Int64, from sender: UnverifiableSender = .anybody,
        unknown: UnsafeRawBufferPointer? = nil
    ) -> RefusedShare? {
        lock.take()
        defer { lock.give() }
        let sorts = RefusedSort.count
        enterHour(of: now)
        let limits = sort == .unverifiable && sender == .frequent ? limits.half : limits
        let (inHour, inAll) = (kept[sort.rawValue], kept[sort.rawValue &+ sorts])
        guard inHour.count < limits.perHour, inAll.count < limits.inAll,
            limits.bytesPerHour >= bytes, inHour.bytes <= limits.bytesPerHour &- bytes,
            limits.bytesInAll >= bytes, inAll.bytes <= limits.bytesInAll &- bytes
        else { return nil }
        let name = sort == .unverifiable ? nameClass(unknown) : nil
        if let name {
            if named[name] >= (sender == .rare ? max(limits.perHour / 4, 1) : unverifiableShare) { return nil }
            named[name] &+= 1
        }
        kept[sort.rawValue].add(bytes)
        kept[sort.rawValue &+ sorts].add(bytes)
        return RefusedShare(sort: sort, name: name, bytes: bytes, hour: hours)
    }

    /// Begins the count anew in a later hour only. A request that arrived before the turn of an hour counts in the hour
    /// that has begun. Where the clock was set back, the count goes on, until that clock's next hour.
    private func enterHour(of now: Int64) {
        let current = now / hourLength
        if current > hour {
            hours &+= 1
            for place in 0..<RefusedSort.count { kept[place] = RefusedAmount() }
            named = InlineArray(repeating: 0)
        }
        if current > hour || current < hour - 1 { hour = current }
    }

    /// Gives back the share of a record that is in the store already, or is not stored.
    @_optimize(size)
    @inline(never)
    func giveBack(_ share: RefusedShare) {
        lock.take()
        if share.hour == hours {
            kept[share.sort.rawValue].take(share.bytes)
            if let name = share.name, named[name] > 0 { named[name] &-= 1 }
        }
        kept[share.sort.rawValue &+ RefusedSort.count].take(share.bytes)
        lock.give()
    }

    // MARK: In all

    /// The refused postbacks of a sort in all, as far as this receiver knows.
    package func inAll(_ sort: RefusedSort) -> RefusedAmount {
        lock.hold { kept[sort.rawValue &+ RefusedSort.count] }
    }

    /// So much was found in the store while it was gone through, and `before` was known when that began: what came
    /// meanwhile is on top of it. One that was on its way to the store when that began may be missed, until the next
    /// time.
    package func count(_ found: RefusedAmount, of sort: RefusedSort, before: RefusedAmount) {
        lock.hold {
            let place = sort.rawValue &+ RefusedSort.count
            kept[place].count = found.count &+ (kept[place].count &- min(before.count, kept[place].count))
            kept[place].bytes = found.bytes &+ (kept[place].bytes &- min(before.bytes, kept[place].bytes))
        }
    }
}

/// The place at which a name is counted, by FNV-1a: others may share it.
private func nameClass(_ name: UnsafeRawBufferPointer?) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    if let name { for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0xFF)
}

/// The length of an hour in microseconds.
private var hourLength: Int64 { 3_600_000_000 }
