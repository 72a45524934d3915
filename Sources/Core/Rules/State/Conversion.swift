/// A conversion: Apple counts it by its own windows, with its own value and update. Rules decide and take values for
/// it. An install has one, which begins with the first launch.
package struct Conversion: Sendable {
    package internal(set) var protocolVersion: ProtocolVersion
    /// Unix seconds of the first and last call; nil before it begins.
    package var first: Int64?
    package var last: Int64?
    /// Unix seconds of the last change of an install that was never registered; nil if it is not known.
    package var changed: Int64?
    package var fine: UInt8?
    package var previousFine: UInt8?
    package var windows = WindowStates()
    /// The newest ticket whose answer was applied; 0 if there is none.
    package var newestTicket: UInt64 = 0
    package var lastUpdate: ValueUpdate?
    package var isLastUpdateDelivered = false
    /// Without a last update, the number of the last one before the install began again; 0 if there was none.
    package var olderNumber: UInt64 = 0
    /// The conversion model with which it began, and its counts; nil without a model.
    package var model: InstallModel?

    @inline(__always)
    package init(_ protocolVersion: ProtocolVersion) { self.protocolVersion = protocolVersion }

    package var isRegistered: Bool { first != nil }

    /// The open window at a time; nil if it has not begun or all are closed.
    @inline(__always)
    package func window(at now: Int64) -> Window? {
        guard let first, let last else { return nil }
        return switch protocolVersion {
        case .skan4: Window.skan4(first: first, now: time(now))
        case .skan3: Window.skan3(last: last, now: now)
        }
    }

    /// Rules, "Windows": the time that rules use when the clock shows `now`. A conversion's window never goes back: an
    /// earlier clock counts as the first second of the window of the last count or of the last update, whichever is
    /// later.
    @inline(__always)
    package func time(_ now: Int64) -> Int64 {
        let window = latestWindow
        guard window != .first else { return now }
        return time(now, notBefore: window)
    }

    /// The latest window known from the counts and from the last update.
    @inline(__always)
    private var latestWindow: Window {
        let (counted, updated) = (model?.window ?? .first, lastUpdate?.window ?? .first)
        return counted.rawValue > updated.rawValue ? counted : updated
    }

    /// Without a model, a clock that is more than an hour behind was set back on purpose, and is used as it is.
    @inline(never)
    private func time(_ now: Int64, notBefore window: Window) -> Int64 {
        guard protocolVersion == .skan4, let first else { return now }
        let start = Window.skan4Start(window, first: first)
        if model == nil, now < start &- Limits.clockDifference { return now }
        return max(now, start)
    }

    /// The time at which the last window closes (in SKAN 3, as far as it is known); nil before the first call.
    package var closesAt: Int64? {
        guard let first, let last else { return nil }
        return switch protocolVersion {
        case .skan4: Window.skan4End(first: first)
        case .skan3: Window.skan3End(last: last)
        }
    }

    /// The open window, or the outcome that says why there is none.
    @inline(__always)
    package func openWindow(at now: Int64) -> (window: Window?, otherwise: Status) {
        (window(at: now), isRegistered ? .windowClosed : .notRegistered)
    }

    /// The invariants that every rule relies on and maintains.
    var isSound: Bool {
        guard (first == nil) == (last == nil), fine ?? 0 < 64, previousFine ?? 0 < 64 else { return false }
        for window in Window.all {
            let values = windows[window]
            guard values.coarse ?? 0 < 3, values.previousCoarse ?? 0 < 3 else { return false }
        }
        return lastUpdate?.fine ?? 0 < 64 && lastUpdate?.coarse ?? 0 < 3
    }
}

/// The stored values of one postback window.
package struct WindowState: Sendable {
    package var coarse: UInt8?
    package var previousCoarse: UInt8?
    /// The time at which the window was locked, in Unix seconds.
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
