/// Rules, "Taking a value", "SKAN 3 values": how a conversion takes a value. An endpoint's answer or a rule of a
/// conversion model decides the value; this decides whether it is taken.
package struct TakenValue: Sendable {
    let fine: UInt8?
    let coarse: UInt8?
    let locksWindow: Bool

    package init(fine: UInt8?, coarse: UInt8?, locksWindow: Bool) {
        self.fine = fine
        self.coarse = coarse
        self.locksWindow = locksWindow
    }

    /// How a value must differ from the window's current one to be taken, in SKAN 4.
    package enum Standing: Sendable {
        /// Any value: an endpoint decides itself what is new.
        case any
        /// Rules, "Model decision": a different value, or one that locks the window.
        case other
        /// A greater value (raise_only), compared by fine, then coarse; or the same value if it locks the window.
        case greater
    }
}

extension Conversion {
    /// Takes a value for the open window, as the last update, which is then pending. Otherwise returns WINDOW_LOCKED or
    /// NO_NEW_VALUE and changes nothing. The update gets the number after the last one of all conversions.
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

    /// Compares by fine, then coarse, in window 0, and by coarse in the others.
    private func isNew(_ value: TakenValue, _ standing: TakenValue.Standing, in window: Window) -> Bool {
        guard standing != .any else { return true }
        let isFineEqual = window != .first || value.fine == fine
        let (coarse, oldCoarse) = (level(value.coarse), level(windows[window].coarse))
        if isFineEqual, coarse == oldCoarse { return value.locksWindow }
        return standing == .other || (isFineEqual ? coarse > oldCoarse : level(value.fine) > level(fine))
    }

    /// Makes the next update, which is pending from now on.
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
