internal import SKANSystem

/// A number of postbacks, and the number of bytes that `RefusedSort.bytes` counts for them.
package struct RefusedAmount: Equatable, Sendable {
    package var count: UInt64 = 0
    package var bytes: UInt64 = 0

    package init() {}

    package mutating func add(_ bytes: UInt64) {
        count &+= 1
        self.bytes &+= bytes
    }

    /// Whether one more postback of `bytes` bytes fits into a share of `share` bytes. The first one always does.
    package func hasRoom(for bytes: UInt64, within share: UInt64) -> Bool {
        count == 0 || (bytes <= share && self.bytes <= share &- bytes)
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
    /// A client with few stored unverifiable postbacks.
    case rare
    /// A client with many stored unverifiable postbacks.
    case frequent
}

/// The part of the budget that one record takes. It is given back if the record is not stored.
struct RefusedShare {
    fileprivate let sort: RefusedSort
    /// The index of the postback's version or key in `RefusedBudget.named`; nil unless the postback is unverifiable.
    fileprivate let name: Int?
    fileprivate let bytes: UInt64
    /// `RefusedBudget.days` when the share was taken.
    fileprivate let day: UInt64
}

/// The budget for refused postbacks that are stored separately, so that untrusted input cannot fill the store. Each
/// sort of postback has a limit of its own, of the same size, so that no sort crowds out another.
package final class RefusedBudget: @unchecked Sendable {
    /// The default limit for the stored bytes of each sort.
    package static var bytesByDefault: UInt64 { 512 << 20 }

    private let most: UInt64
    private let lock = Lock()
    /// The day for which `named` counts, in days since 1970.
    private var day: Int64 = 0
    /// The number of days for which `named` has counted, to recognise shares of an earlier day.
    private var days: UInt64 = 0
    private var kept = InlineArray<4, RefusedAmount>(repeating: RefusedAmount())
    /// The amounts of unverifiable postbacks of this day, by a hash of their unknown version or key.
    private var named = InlineArray<256, RefusedAmount>(repeating: RefusedAmount())

    /// - Parameter bytes: The limit for the stored bytes of each sort.
    package init(bytes: UInt64 = RefusedBudget.bytesByDefault) { most = bytes }

    /// The maximum number of bytes per day of unverifiable postbacks from one client, or with one unknown version or
    /// key. It leaves room for postbacks of other clients, versions and keys.
    package var unverifiableShare: UInt64 { most / 16 }

    /// Takes a share of the budget for one more postback; nil if the postback must not be stored. `now` is in
    /// microseconds since 1970.
    ///
    /// - Parameters:
    ///   - sender: The kind of sender of an unverifiable postback. Postbacks of frequent senders fill at most half of
    ///     the limit, so that they do not crowd out those of rare ones. The postbacks of a day with one unknown version
    ///     or key may take a sixteenth of the limit, or a quarter if the sender is rare.
    ///   - unknown: The unknown version or key of an unverifiable postback.
    @_optimize(size)
    @inline(never)
    func take(
        _ sort: RefusedSort, _ bytes: UInt64, at now: Int64, from sender: UnverifiableSender = .anybody,
        unknown: UnsafeRawBufferPointer? = nil
    ) -> RefusedShare? {
        lock.take()
        defer { lock.give() }
        enterDay(of: now)
        let room = sort == .unverifiable && sender == .frequent ? most / 2 : most
        guard room >= bytes, kept[sort.rawValue].bytes <= room &- bytes else { return nil }
        let name = sort == .unverifiable ? nameClass(unknown) : nil
        if let name {
            let share = sender == .rare ? most / 4 : unverifiableShare
            guard named[name].hasRoom(for: bytes, within: share) else { return nil }
            named[name].add(bytes)
        }
        kept[sort.rawValue].add(bytes)
        return RefusedShare(sort: sort, name: name, bytes: bytes, day: days)
    }

    /// Starts new counts if `now` is on a later day than the counts so far. A request that arrived before midnight but
    /// is handled after it counts for the new day. If the clock was set back, the counts continue until the next day by
    /// that clock.
    private func enterDay(of now: Int64) {
        let current = now / dayLength
        if current > day {
            days &+= 1
            named = InlineArray(repeating: RefusedAmount())
        }
        if current > day || current < day - 1 { day = current }
    }

    /// Gives back the share of a record that the store already has, or that is not stored.
    @_optimize(size)
    @inline(never)
    func giveBack(_ share: RefusedShare) {
        lock.take()
        if let name = share.name, share.day == days { named[name].take(share.bytes) }
        kept[share.sort.rawValue].take(share.bytes)
        lock.give()
    }

    // MARK: In all

    /// The total amount of stored refused postbacks of a sort, as far as this receiver knows.
    package func inAll(_ sort: RefusedSort) -> RefusedAmount { lock.hold { kept[sort.rawValue] } }

    /// Sets the total of a sort to the amount that a walk of the store found, plus what was added since the walk began.
    /// `before` is the total when the walk began. A record that was being saved at that time may be missing from the
    /// total until the next walk.
    package func count(_ found: RefusedAmount, of sort: RefusedSort, before: RefusedAmount) {
        lock.hold {
            let known = kept[sort.rawValue]
            kept[sort.rawValue].count = found.count &+ (known.count &- min(before.count, known.count))
            kept[sort.rawValue].bytes = found.bytes &+ (known.bytes &- min(before.bytes, known.bytes))
        }
    }
}

/// The index in `RefusedBudget.named` for an unknown version or key, from its FNV-1a hash. Several of them may have the
/// same index.
private func nameClass(_ name: UnsafeRawBufferPointer?) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    if let name { for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & 0xFF)
}

/// Microseconds.
private var dayLength: Int64 { 86_400_000_000 }
