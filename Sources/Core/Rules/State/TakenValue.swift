/// Rules, "Taking a value", "SKAN 3 values": a value that a conversion may take. An endpoint's answer or a rule of a
/// conversion model gives the value; `take` decides whether it is taken.
package struct TakenValue: Sendable {
    let fine: UInt8?
    let coarse: UInt8?
    let locksWindow: Bool

    package init(fine: UInt8?, coarse: UInt8?, locksWindow: Bool) {
        self.fine = fine
        self.coarse = coarse
        self.locksWindow = locksWindow
    }

    /// The difference from the window's current value that a value must have to be taken, in SKAN 4.
    package enum Standing: Sendable {
        /// No difference is needed, because an endpoint decides itself which values are new.
        case any
        /// Rules, "Model decision": the value must be different, or lock the window.
        case other
        /// The value must be greater (raise_only), compared by fine, then by coarse, or be the same and lock the
        /// window.
        case greater
    }
}

extension Conversion {
    /// Takes a value for the open window. It becomes the last update, which is then pending. If the value is not taken,
    /// returns WINDOW_LOCKED or NO_NEW_VALUE and changes nothing. `number` is the last update number of all
    /// conversions; the update gets the next one.
    package mutating func take(
        _ value: TakenValue, _ standing: TakenValue.Standing, in window: Window, after number: UInt64, now: Int64
    ) -> Verdict {
        assert(isRegistered && window.rawValue < protocolVersion.windowCount)
        if window == .first, value.fine == nil { return .unchanged(.noNewValue) }
        switch protocolVersion {
        case .skan4:
            guard windows[window].lock == nil else { return .unchanged(.windowLocked) }
            guard isNew(value, standing, in: window) else { return .unchanged(.noNewValue) }
            if window == .first { previousFine = fine }
            var windowState = windows[window]
            windowState.previousCoarse = windowState.coarse
            windowState.coarse = value.coarse
            if value.locksWindow { windowState.lock = now }
            windows[window] = windowState
        case .skan3:
            guard value.fine ?? 0 > fine ?? 0 else { return .unchanged(.noNewValue) }
        }
        if window == .first { fine = value.fine }
        last = now
        giveUpdate(value, in: window, after: number, now: now)
        return .changed()
    }

    /// Whether a value differs from the window's current one as `standing` requires. Values are compared by fine, then
    /// by coarse in window 0, and by coarse in the others.
    private func isNew(_ value: TakenValue, _ standing: TakenValue.Standing, in window: Window) -> Bool {
        guard standing != .any else { return true }
        let isFineEqual = window != .first || value.fine == fine
        let (coarse, oldCoarse) = (level(value.coarse), level(windows[window].coarse))
        if isFineEqual, coarse == oldCoarse { return value.locksWindow }
        return standing == .other || (isFineEqual ? coarse > oldCoarse : level(value.fine) > level(fine))
    }

    /// Makes a value the last update, which is pending from now on.
    mutating func giveUpdate(_ value: TakenValue, in window: Window, after number: UInt64, now: Int64) {
        lastUpdate = ValueUpdate(
            id: number &+ 1, window: window, fine: value.fine, coarse: value.coarse,
            locksWindow: value.locksWindow, timestamp: now)
        isLastUpdateDelivered = false
    }
}

/// A coarse value as a comparable number; no value is the lowest.
@inline(__always)
func level(_ value: UInt8?) -> Int { value.map { Int($0) } ?? -1 }
