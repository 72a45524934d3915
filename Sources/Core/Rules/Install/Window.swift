/// Rules, "Windows", "SKAN 3": which postback window an install is in.

/// Rules, "One protocol": what an engine speaks.
package enum ProtocolVersion: UInt8, Sendable {
    case skan3 = 3
    case skan4 = 4
}

/// A postback window, 0, 1 or 2. SKAN 3 has only window 0.
package enum Window: UInt8, Sendable {
    case first = 0
    case second = 1
    case third = 2

    /// SKAN 4: by the time since the first call; nil after day 35. A clock that went back stays in the first window.
    @inline(__always)
    package static func skan4(first: Int64, now: Int64) -> Window? {
        let elapsed = now &- first
        if elapsed < 172_800 { return .first }
        if elapsed < 604_800 { return .second }
        if elapsed < 3_024_000 { return .third }
        return nil
    }

    /// SKAN 4: when a window begins.
    package static func skan4Start(_ window: Window, first: Int64) -> Int64 {
        switch window {
        case .first: first
        case .second: after(first, 172_800)
        case .third: after(first, 604_800)
        }
    }

    /// The first second after day 35, or the last one there is.
    package static func skan4End(first: Int64) -> Int64 { after(first, 3_024_000) }

    /// SKAN 3: open for 24 hours after the last accepted value.
    @inline(__always)
    package static func skan3(last: Int64, now: Int64) -> Window? {
        now &- last < 86_400 ? .first : nil
    }

    /// The first second after these 24 hours, or the last one there is.
    package static func skan3End(last: Int64) -> Int64 { after(last, 86_400) }

    private static func after(_ time: Int64, _ duration: Int64) -> Int64 {
        let (end, isOverflow) = time.addingReportingOverflow(duration)
        return isOverflow ? .max : end
    }
}
