package import SKANCore

/// The age up to which an install's revenue is reported.
package enum Horizon: Int, CaseIterable {
    /// The ends of windows 0, 1 and 2.
    case day2, day7, day35
    /// Ages after window 2; a record has no separate revenue for these.
    case day60, day90, day180
    /// The time at which the report is made.
    case toDate

    package static var ofWindows: [Horizon] { [.day2, .day7, .day35] }
    package static var afterWindows: [Horizon] { [.day60, .day90, .day180] }
    /// The horizons at a fixed number of days after the install.
    package static var dated: [Horizon] { ofWindows + afterWindows }

    /// Nil for horizons after the windows.
    package var window: Window? { Window(rawValue: UInt8(truncatingIfNeeded: rawValue)) }

    /// 0 for `toDate`, which is no fixed age.
    package var days: Int64 {
        switch self {
        case .day2: 2
        case .day7: 7
        case .day35: 35
        case .day60: 60
        case .day90: 90
        case .day180: 180
        case .toDate: 0
        }
    }

    /// 0 for `toDate`.
    var seconds: Int64 { days * Day.seconds }

    static var weekSeconds: Int64 { 7 * Day.seconds }
    /// The week of age from which on all installs are old enough for this horizon. It is 0 for day 2, because groups
    /// hold only installs of 3.5 days or more.
    var weeks: Int { self == .day2 ? 0 : Int((days + 6) / 7) }
}

package typealias PerHorizon<Value> = InlineArray<7, Value>
