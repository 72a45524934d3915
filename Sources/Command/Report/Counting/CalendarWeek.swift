import SKANCore

/// Weeks begin on Mondays, UTC, and are numbered from the one of the 1st of January 1970.
enum CalendarWeek {
    static var days: Int64 { 7 }

    /// The number of the week that a day belongs to. `day`: days since 1970.
    static func number(ofDay day: Int64) -> Int64 {
        let (weeks, rest) = (day + 3).quotientAndRemainder(dividingBy: days)
        return rest < 0 ? weeks - 1 : weeks
    }

    /// The number of the week that a moment belongs to. `moment`: Unix seconds.
    static func number(of moment: Int64) -> Int64 { number(ofDay: dayNumber(moment)) }

    /// The start of a week in Unix seconds.
    static func start(_ week: Int64) -> Int64 { (week * days - 3) * Day.seconds }
}
