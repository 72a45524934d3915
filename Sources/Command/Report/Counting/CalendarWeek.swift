import SKANCore

/// Calendar weeks, which begin on Mondays, UTC. Week 0 is the week of 1 January 1970.
enum CalendarWeek {
    static var days: Int64 { 7 }

    /// `day`: days since 1970.
    static func number(ofDay day: Int64) -> Int64 {
        let (weeks, rest) = (day + 3).quotientAndRemainder(dividingBy: days)
        return rest < 0 ? weeks - 1 : weeks
    }

    /// `moment`: Unix seconds.
    static func number(of moment: Int64) -> Int64 { number(ofDay: dayNumber(moment)) }

    /// Returns the week's start in Unix seconds.
    static func start(_ week: Int64) -> Int64 { (week * days - 3) * Day.seconds }
}
