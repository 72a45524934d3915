internal import SKANCore

/// The age up to which an install's revenue is reported.
package enum Horizon: Int, CaseIterable {
    /// The ends of windows 0, 1 and 2.
    case day2, day7, day35
    /// The time at which the report is made.
    case toDate

    static var count: Int { 4 }
    /// Those that end so many days after the install.
    static var dated: [Horizon] { [.day2, .day7, .day35] }

    /// The last window; nil: all revenue ever.
    var window: Window? { Window(rawValue: UInt8(truncatingIfNeeded: rawValue)) }

    /// How old an install is at that time; 0: any.
    var seconds: Int64 { (window?.days.upperBound ?? 0) * ArrivalDay.seconds }

    static var weekSeconds: Int64 { 7 * ArrivalDay.seconds }
    /// Installs that are so many whole weeks old, and at least two days, are old enough for it.
    var weeks: Int { Int(seconds / Horizon.weekSeconds) }

    var key: StaticString {
        switch self {
        case .day2: "day_2"
        case .day7: "day_7"
        case .day35: "day_35"
        case .toDate: "to_date"
        }
    }
}
