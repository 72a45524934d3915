package import SKANCore

/// The age up to which an install's revenue is reported.
package enum Horizon: Int, CaseIterable {
    /// The ends of windows 0, 1 and 2.
    case day2, day7, day35
    /// Ages after window 2: a record does not have the revenue until then.
    case day60, day90, day180
    /// The time at which the report is made.
    case toDate

    /// The ends of the windows.
    package static var ofWindows: [Horizon] { [.day2, .day7, .day35] }
    package static var afterWindows: [Horizon] { [.day60, .day90, .day180] }
    /// Those that end so many days after the install.
    package static var dated: [Horizon] { ofWindows + afterWindows }

    /// The last window; nil after all windows.
    package var window: Window? { Window(rawValue: UInt8(truncatingIfNeeded: rawValue)) }

    /// The age in days; 0: any.
    var days: Int64 {
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

    /// How old an install is at that time; 0: any.
    var seconds: Int64 { days * Day.seconds }

    static var weekSeconds: Int64 { 7 * Day.seconds }
    /// Installs that are so many whole weeks old, and at least two days, are old enough for it.
    var weeks: Int { self == .day2 ? 0 : Int((days + 6) / 7) }
}

/// One value for each horizon.
package typealias PerHorizon<Value> = InlineArray<7, Value>
