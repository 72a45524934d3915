/// The state of a conversion, which has windows, values and updates of its own. An install has one that begins with its
/// first launch, and each re-engagement has one that begins with its tap.
package struct Conversion: Sendable {
    package internal(set) var protocolVersion: ProtocolVersion
    /// The time of the first call, Unix seconds; nil before the conversion begins.
    package var first: Int64?
    /// The time of the last call, Unix seconds; nil before the conversion begins.
    package var last: Int64?
    /// The time of the last change of an install that was never registered, Unix seconds; nil if it is not known.
    package var changed: Int64?
    package var fine: UInt8?
    package var previousFine: UInt8?
    package var windows = WindowStates()
    /// The newest ticket whose answer was applied; 0 if there is none.
    package var newestTicket: UInt64 = 0
    package var lastUpdate: ValueUpdate?
    package var isLastUpdateDelivered = false
    /// The number of the last update before the install was registered anew; 0 if there was none. Used only while
    /// `lastUpdate` is nil.
    package var olderNumber: UInt64 = 0
    /// The conversion model with which the conversion began, and what it has counted; nil without a model.
    package var model: InstallModel?

    @inline(__always)
    package init(_ protocolVersion: ProtocolVersion) { self.protocolVersion = protocolVersion }

    package var isRegistered: Bool { first != nil }

    /// The window that is open at a time; nil if the conversion has not begun or all its windows are closed.
    @inline(__always)
    package func window(at now: Int64) -> Window? {
        guard let first, let last else { return nil }
        return switch protocolVersion {
        case .skan4: Window.skan4(first: first, now: time(now))
        case .skan3: Window.skan3(last: last, now: now)
        }
    }

    /// Rules, "Windows": the time that rules use when the clock shows `now`. A conversion's window never goes back. Its
    /// latest window is that of its counts or that of its last update, whichever is later. If the clock shows a time
    /// before this window, the window's first second is used.
    @inline(__always)
    package func time(_ now: Int64) -> Int64 {
        let window = latestWindow
        guard window != .first else { return now }
        return time(now, notBefore: window)
    }

    /// The window of the counts or of the last update, whichever is later.
    @inline(__always)
    private var latestWindow: Window {
        let (counted, updated) = (model?.window ?? .first, lastUpdate?.window ?? .first)
        return counted.rawValue > updated.rawValue ? counted : updated
    }

    /// The later of `now` and the window's start. Without a model, a time more than an hour before that start is used
    /// as it is, because the clock must have been set back on purpose.
    @inline(never)
    private func time(_ now: Int64, notBefore window: Window) -> Int64 {
        guard protocolVersion == .skan4, let first else { return now }
        let start = Window.skan4Start(window, first: first)
        if model == nil, now < start &- Limits.clockDifference { return now }
        return max(now, start)
    }

    /// The time at which the last window closes; nil before the first call. In SKAN 3 each new value moves this time.
    package var closesAt: Int64? {
        guard let first, let last else { return nil }
        return switch protocolVersion {
        case .skan4: Window.skan4End(first: first)
        case .skan3: Window.skan3End(last: last)
        }
    }

    /// `otherwise`: the status of a call that finds no window open.
    @inline(__always)
    package func openWindow(at now: Int64) -> (window: Window?, otherwise: Status) {
        (window(at: now), isRegistered ? .windowClosed : .notRegistered)
    }

    /// Whether the invariants hold that every rule relies on and maintains.
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
    /// The time at which the window was locked, Unix seconds; nil if it is not locked.
    package var lock: Int64?

    @inline(__always)
    package init() {}
}

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
