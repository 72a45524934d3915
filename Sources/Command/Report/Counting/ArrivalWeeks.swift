import SKANCommandRows
import SKANCore

/// Installs and redownloads by the week in which their postbacks arrived.
struct ArrivalWeeks {
    /// Weeks with installs or redownloads, in ascending order.
    private var weeks: [(number: Int64, installs: UInt64)] = []

    var first: Int64? { weeks.first?.number }
    var last: Int64? { weeks.last?.number }

    /// The installs and redownloads of a week. `week`: the week's number, as in `CalendarWeek`.
    subscript(week: Int64) -> UInt64 {
        let place = place(of: week)
        return place < weeks.count && weeks[place].number == week ? weeks[place].installs : 0
    }

    func installs(_ range: Range<Int64>) -> UInt64 {
        weeks.reduce(0) { range.contains($1.number) ? $0 + $1.installs : $0 }
    }

    /// `arrived`: the postback's arrival, in Unix seconds.
    mutating func addInstall(arrived: Int64) { add(1, week: CalendarWeek.number(of: arrived)) }

    mutating func add(_ more: ArrivalWeeks) {
        for week in more.weeks { add(week.installs, week: week.number) }
    }

    private mutating func add(_ installs: UInt64, week: Int64) {
        let place = place(of: week)
        if place == weeks.count || weeks[place].number != week { weeks.insert((week, 0), at: place) }
        weeks[place].installs += installs
    }

    /// Returns the index in `weeks` of the first week that is not before `week`. Searches from the end, since most
    /// postbacks belong to the last week.
    private func place(of week: Int64) -> Int {
        var place = weeks.count
        while place > 0, weeks[place - 1].number >= week { place -= 1 }
        return place
    }
}
