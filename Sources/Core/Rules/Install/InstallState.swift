/// Rules, "Install state": all that is known of one install.
package struct InstallState: Sendable {
    package internal(set) var protocolVersion: ProtocolVersion
    /// Whether this was read from a record; an install never heard of has none.
    package var isStored = false

    /// Unix seconds of the first and last call; nil before registration.
    package var first: Int64?
    package var last: Int64?
    package var fine: UInt8?
    package var previousFine: UInt8?
    package var windows = WindowStates()
    package var revenue = RevenueTables()
    package var revenueEvents = EventIDs()
    package var conversionEvents = EventIDs()
    /// The newest ticket whose answer was applied, 0 before.
    package var newestTicket: UInt64 = 0
    package var lastUpdate: ValueUpdate?
    package var isLastUpdateDelivered = false
    /// The conversion model the install was registered with, nil without one.
    package var model: InstallModel?
    package var writes = WriteHistory()

    @inline(__always)
    package init(_ protocolVersion: ProtocolVersion) { self.protocolVersion = protocolVersion }

    package var isRegistered: Bool { first != nil }

    /// The open window at a time: nil if the install is not registered or all is closed.
    @inline(__always)
    package func window(at now: Int64) -> Window? {
        guard let first, let last else { return nil }
        return switch protocolVersion {
        case .skan4: Window.skan4(first: first, now: modelTime(now))
        case .skan3: Window.skan3(last: last, now: now)
        }
    }

    /// Rules, "Model counts": what a clock counts as. A model's window never goes back. Once something was counted in a
    /// window, an earlier clock counts as its first second.
    @inline(__always)
    package func modelTime(_ now: Int64) -> Int64 {
        guard let model, protocolVersion == .skan4, let first else { return now }
        return max(now, model.earliestTime(first: first))
    }

    /// When the last window closes, in SKAN 3 as far as is known: nil before registration.
    package var closesAt: Int64? {
        guard let first, let last else { return nil }
        return switch protocolVersion {
        case .skan4: Window.skan4End(first: first)
        case .skan3: Window.skan3End(last: last)
        }
    }

    /// Whether it is an endpoint's record of a user (Rules, "Endpoint users"): a registered install has a value.
    package var tellsCountsOnly: Bool { protocolVersion == .skan4 && isRegistered && fine == nil }

    /// What every rule can rely on, and leaves so.
    package var isSound: Bool {
        guard (first == nil) == (last == nil), fine ?? 0 < 64, previousFine ?? 0 < 64 else { return false }
        for window in Window.all {
            let values = windows[window]
            guard values.coarse ?? 0 < 3, values.previousCoarse ?? 0 < 3 else { return false }
        }
        return lastUpdate?.fine ?? 0 < 64 && lastUpdate?.coarse ?? 0 < 3
    }

    /// The open window, or the outcome that says why there is none.
    @inline(__always)
    package func openWindow(at now: Int64) -> (window: Window?, otherwise: Status) {
        (window(at: now), isRegistered ? .windowClosed : .notRegistered)
    }
}

/// What is kept for one postback window.
package struct WindowState: Sendable {
    package var coarse: UInt8?
    package var previousCoarse: UInt8?
    /// When the window was locked, Unix seconds.
    package var lock: Int64?

    @inline(__always)
    package init() {}
}

/// The windows of an install.
package struct WindowStates: Sendable {
    private var states: PerWindow<WindowState>

    @inline(__always)
    package init() { states = InlineArray(repeating: WindowState()) }

    package subscript(window: Window) -> WindowState {
        @inline(__always)
        get { states[Int(window.rawValue)] }
        @inline(__always)
        set { states[Int(window.rawValue)] = newValue }
    }
}

/// Rules, "Unknown saves": the last 8 writes of a record, by which a writer finds out whether a write of unknown end
/// was applied.
package struct WriteHistory: Sendable {
    /// Writes so far, counted from a random number.
    package private(set) var count: UInt64 = 0
    /// Their ids, two in a word; the id of write number n is number n mod 8, 0 = none.
    package private(set) var ids: InlineArray<4, UInt64>

    @inline(__always)
    package init() { ids = InlineArray(repeating: 0) }

    @inline(__always)
    package init(count: UInt64, ids: InlineArray<4, UInt64>) {
        self.count = count
        self.ids = ids
    }

    /// The history of a record that is about to be made.
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
