internal import SKANSystem

/// The limits for the refused postbacks that a receiver stores. They apply to each sort separately, so that none crowds
/// out another. Bytes are counted as by `RefusedSort.bytes`.
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

/// A number of postbacks, and of their bytes.
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

/// The kind of sender of an unverifiable postback, as far as a receiver knows.
package enum UnverifiableSender: Sendable {
    /// The receiver does not distinguish senders.
    case anybody
    /// A client few of whose earlier unverifiable postbacks were stored.
    case rare
    /// A client many of whose earlier unverifiable postbacks were stored.
    case frequent
}

/// The part of the budget given to one record, which is returned if the record is not stored.
struct RefusedShare {
    fileprivate let sort: RefusedSort
    /// The index in the counts of unknown names; nil for other sorts.
    fileprivate let name: Int?
    fileprivate let bytes: UInt64
    /// The value of `RefusedBudget.hours` when it was counted.
    fileprivate let hour: UInt64
}

/// The amounts of refused postbacks that are stored separately, so that untrusted input cannot fill the store.
package final class RefusedBudget: @unchecked Sendable {
    private let limits: RefusedLimits
    private let lock = Lock()
    /// The current hour, in hours since 1970.
    private var hour: Int64 = 0
    /// The number of hours that were started.
    private var hours: UInt64 = 0
    /// The amounts of each sort in this hour, followed by the total amounts of each sort.
    private var kept = InlineArray<8, RefusedAmount>(repeating: RefusedAmount())
    /// The unverifiable postbacks of this hour, by their unknown version or key.
    private var named = InlineArray<256, UInt64>(repeating: 0)

    package init(_ limits: RefusedLimits) { self.limits = limits }

    /// The maximum number of unverifiable postbacks per hour from one client, or with one unknown version or key, so
    /// that they do not crowd out others.
    package var unverifiableShare: UInt64 { max(limits.perHour / 16, 1) }

    /// Takes the share of one more postback of a sort at this time in microseconds; nil if it must not be stored.
    ///
    /// - Parameters:
    ///   - sender: The kind of sender of an unverifiable postback. Frequent senders may use half of each limit, so that
    ///     they crowd out no rare ones. A rare sender may use a quarter of an hour's limit for a name that frequent
    ///     senders use, too.
    ///   - unknown: The unknown version or key of an unverifiable postback.
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

    /// Starts a new count only in a later hour. A request that arrived just before the hour changed counts in the new
    /// hour. If the clock was set back, the count continues until that clock's next hour.
    private func enterHour(of now: Int64) {
        let current = now / hourLength
        if current > hour {
            hours &+= 1
            for place in 0..<RefusedSort.count { kept[place] = RefusedAmount() }
            named = InlineArray(repeating: 0)
        }
        if current > hour || current < hour - 1 { hour = current }
    }

    /// Returns the share of a record that the store already has, or that is not stored.
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

    /// The total amount of refused postbacks of a sort, as far as this receiver knows.
    package func inAll(_ sort: RefusedSort) -> RefusedAmount {
        lock.hold { kept[sort.rawValue &+ RefusedSort.count] }
    }

    /// Sets the total to what a walk of the store found, plus what was added since the walk began, when the total was
    /// `before`. May miss a record that was being saved when the walk began, until the next walk.
    package func count(_ found: RefusedAmount, of sort: RefusedSort, before: RefusedAmount) {
        lock.hold {
            let place = sort.rawValue &+ RefusedSort.count
            kept[place].count = found.count &+ (kept[place].count &- min(before.count, kept[place].count))
            kept[place].bytes = found.bytes &+ (kept[place].bytes &- min(before.bytes, kept[place].bytes))
        }
    }
}

/// The index at which a name is counted, by its FNV-1a hash; several names may share it.
private func nameClass(_ name: UnsafeRawBufferPointer?) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    if let name { for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0xFF)
}

/// The length of an hour in microseconds.
private var hourLength: Int64 { 3_600_000_000 }
