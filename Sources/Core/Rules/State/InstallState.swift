/// Rules, "Install state": everything that is known about one install.
package struct InstallState: Sendable {
    /// The install's own conversion.
    package var conversion: Conversion
    /// Whether the state was read from a record. An unknown install has no record.
    package var isStored = false
    package var revenue = RevenueTables()
    package var events = EventMemory()
    package var writes = WriteHistory()
    /// The kept re-engagements, sorted by number; most installs have none.
    package var reengagements: [Reengagement] = []
    /// The mark of the rename to which the record belongs; nil if it belongs to none.
    package var rename: RenameMark?

    @inline(__always)
    package init(_ protocolVersion: ProtocolVersion) { conversion = Conversion(protocolVersion) }

    /// Whether the record is treated as an endpoint's record of a user (Rules, "Endpoint users"), because it is
    /// registered but has no fine value. Installs have one, unless they were imported without it.
    package var tellsCountsOnly: Bool {
        conversion.protocolVersion == .skan4 && conversion.isRegistered && conversion.fine == nil
    }
}

extension InstallState {
    /// The time at which the last window of the install and its re-engagements closes; nil if there is no window.
    @_optimize(size)
    package var closesAt: Int64? {
        var end = conversion.closesAt
        for each in reengagements { end = max(end ?? .min, Window.skan4End(first: each.start)) }
        return end
    }

    /// Rules, "Update numbers": the number of the last update of any conversion; 0 if there was no update yet.
    @inline(__always)
    package var lastUpdateNumber: UInt64 {
        var last = conversion.lastUpdate?.id ?? conversion.olderNumber
        for each in reengagements { last = max(last, each.conversion.lastUpdate?.id ?? 0) }
        return last
    }

    /// The last update's number, or `start` if there was no update. The next update's number is one greater.
    @inline(__always)
    func numberBefore(_ start: UInt64) -> UInt64 {
        let last = lastUpdateNumber
        return last == 0 ? start : last
    }
}

/// Rules, "Unknown saves": the last 8 writes of a record. They show whether a write with an unknown outcome was
/// applied.
package struct WriteHistory: Sendable {
    /// The number of writes so far, starting at a random number.
    package private(set) var count: UInt64 = 0
    /// The ids of the writes, two in each word. The id of write number n is at place n mod 8, and 0 means none.
    package private(set) var ids: InlineArray<4, UInt64>

    @inline(__always)
    package init() { ids = InlineArray(repeating: 0) }

    @inline(__always)
    package init(count: UInt64, ids: InlineArray<4, UInt64>) {
        self.count = count
        self.ids = ids
    }

    package static func new(startingAt count: UInt64) -> WriteHistory {
        WriteHistory(count: count, ids: InlineArray(repeating: 0))
    }

    package mutating func add(_ id: UInt32) {
        count &+= 1
        let place = Int(count >> 1 & 3)
        let shift = (count & 1) &* 32
        ids[place] = ids[place] & ~(0xFFFF_FFFF << shift) | UInt64(id) << shift
    }

    package func contains(_ id: UInt32) -> Bool {
        for index in ids.indices
        where UInt32(truncatingIfNeeded: ids[index]) == id || UInt32(truncatingIfNeeded: ids[index] >> 32) == id {
            return true
        }
        return false
    }
}
