/// Rules, "Windows", "SKAN 3": which postback window an install is in.

/// Rules, "One protocol": the protocol of an engine.
package enum ProtocolVersion: UInt8, Sendable {
    case skan3 = 3
    case skan4 = 4
}

/// A postback window. All code that depends on the number of windows, or on their start and end, uses this type, except
/// the record's layout and the Swift module's `Details`, which list the windows themselves.
package enum Window: UInt8, Sendable {
    case first = 0
    case second = 1
    case third = 2

    package static var last: Window { .third }

    /// The days after the first call on which the window is open, in SKAN 4.
    @inline(__always)
    package var days: Range<Int64> {
        switch self {
        case .first: 0..<2
        case .second: 2..<7
        case .third: 7..<35
        }
    }

    package static var count: Int { Int(last.rawValue) &+ 1 }

    @inline(__always)
    package static var all: Windows { Windows() }
}

package typealias PerWindow<Value> = InlineArray<3, Value>

package struct Windows: Sequence, IteratorProtocol, Sendable {
    private var number: UInt8 = 0

    @inline(__always)
    fileprivate init() {}

    @inline(__always)
    package mutating func next() -> Window? {
        guard let window = Window(rawValue: number) else { return nil }
        number &+= 1
        return window
    }
}

extension ProtocolVersion {
    /// SKAN 3 has only window 0.
    package var windowCount: Int {
        switch self {
        case .skan4: Window.count
        case .skan3: 1
        }
    }
}

// MARK: When they are open

package enum Day {
    package static var seconds: Int64 { 86_400 }
    package static var hours: Int128 { 24 }
}

extension Window {
    /// The SKAN 4 window that is open at `now`; nil after the last day. A time before the first call counts as the
    /// first window.
    @inline(__always)
    package static func skan4(first: Int64, now: Int64) -> Window? {
        let elapsed = now &- first
        for window in all where elapsed < window.days.upperBound &* Day.seconds { return window }
        return nil
    }

    package static func skan4Start(_ window: Window, first: Int64) -> Int64 {
        after(first, window.days.lowerBound &* Day.seconds)
    }

    /// The first second after the window; the greatest possible time if the sum would overflow.
    package static func skan4End(_ window: Window, first: Int64) -> Int64 {
        after(first, window.days.upperBound &* Day.seconds)
    }

    package static func skan4End(first: Int64) -> Int64 { skan4End(last, first: first) }

    /// Window 0, which is open for 24 hours after the last accepted value; nil afterwards.
    @inline(__always)
    package static func skan3(last: Int64, now: Int64) -> Window? {
        now &- last < Day.seconds ? .first : nil
    }

    /// The first second after the window; the greatest possible time if the sum would overflow.
    package static func skan3End(last: Int64) -> Int64 { after(last, Day.seconds) }

    private static func after(_ time: Int64, _ duration: Int64) -> Int64 {
        let (end, isOverflow) = time.addingReportingOverflow(duration)
        return isOverflow ? .max : end
    }
}
