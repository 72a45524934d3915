/// Rules, "Install state": everything that is known about one install.
package struct InstallState: Sendable {
    /// The install's own conversion.
    package var conversion: Conversion
    /// Whether it was read from a record; an unknown install has none.
    package var isStored = false
    package var revenue = RevenueTables()
    package var revenueEvents = EventIDs()
    package var conversionEvents = EventIDs()
    package var writes = WriteHistory()
    /// The stored re-engagements, by number; most installs have none.
    package var reengagements: [Reengagement] = []

    @inline(__always)
    package init(_ protocolVersion: ProtocolVersion) { conversion = Conversion(protocolVersion) }

    /// Whether it is an endpoint's record of a user (Rules, "Endpoint users"). Other registered installs have a fine
    /// value.
    package var tellsCountsOnly: Bool { protocolVersion == .skan4 && isRegistered && fine == nil }
}

/// Properties of an install that are those of its own conversion.
extension InstallState {
    package internal(set) var protocolVersion: ProtocolVersion {
        @inline(__always)
        get { conversion.protocolVersion }
        set { conversion.protocolVersion = newValue }
    }

    package var isRegistered: Bool { conversion.isRegistered }
    package var isSound: Bool { conversion.isSound }

    /// The time at which the last window closes, including those of re-engagements; nil if there is none.
    @_optimize(size)
    package var closesAt: Int64? {
        var end = conversion.closesAt
        for each in reengagements { end = max(end ?? .min, Window.skan4End(first: each.start)) }
        return end
    }

    /// Rules, "Conversions": the updates of all conversions are numbered in one sequence.
    @inline(__always)
    package var lastUpdateNumber: UInt64 {
        var last = conversion.lastUpdate?.id ?? 0
        for each in reengagements { last = max(last, each.conversion.lastUpdate?.id ?? 0) }
        return last
    }

    @inline(__always)
    package func window(at now: Int64) -> Window? { conversion.window(at: now) }

    package var first: Int64? {
        @inline(__always)
        get { conversion.first }
        @inline(__always)
        _modify { yield &conversion.first }
    }

    package var last: Int64? {
        @inline(__always)
        get { conversion.last }
        @inline(__always)
        _modify { yield &conversion.last }
    }

    package var fine: UInt8? {
        @inline(__always)
        get { conversion.fine }
        @inline(__always)
        _modify { yield &conversion.fine }
    }

    package var previousFine: UInt8? {
        @inline(__always)
        get { conversion.previousFine }
        @inline(__always)
        _modify { yield &conversion.previousFine }
    }

    package var windows: WindowStates {
        @inline(__always)
        get { conversion.windows }
        @inline(__always)
        _modify { yield &conversion.windows }
    }

    package var newestTicket: UInt64 {
        @inline(__always)
        get { conversion.newestTicket }
        @inline(__always)
        _modify { yield &conversion.newestTicket }
    }

    package var lastUpdate: ValueUpdate? {
        @inline(__always)
        get { conversion.lastUpdate }
        @inline(__always)
        _modify { yield &conversion.lastUpdate }
    }

    package var isLastUpdateDelivered: Bool {
        @inline(__always)
        get { conversion.isLastUpdateDelivered }
        @inline(__always)
        _modify { yield &conversion.isLastUpdateDelivered }
    }

    package var model: InstallModel? {
        @inline(__always)
        get { conversion.model }
        @inline(__always)
        _modify { yield &conversion.model }
    }
}

/// Rules, "Unknown saves": the last 8 writes of a record, from which a writer learns whether a write with unknown
/// outcome was applied.
package struct WriteHistory: Sendable {
    /// The number of writes so far, starting at a random number.
    package private(set) var count: UInt64 = 0
    /// The ids of the writes, two in each word; that of write number n is at index n mod 8. 0 means none.
    package private(set) var ids: InlineArray<4, UInt64>

    @inline(__always)
    package init() { ids = InlineArray(repeating: 0) }

    @inline(__always)
    package init(count: UInt64, ids: InlineArray<4, UInt64>) {
        self.count = count
        self.ids = ids
    }

    /// The history of a new record.
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
