import SKANCommandRows
import SKANCore

/// The installs reported by the postbacks of window 0 that arrived on one day.
struct ArrivalDay {
    /// Days since 1970, UTC.
    let day: Int64
    var installs: UInt64 = 0
    var installed: EstimatedDates
}

/// The installs of each day on which postbacks of installs arrived, the earliest day first.
struct ArrivalDays {
    private(set) var days: [ArrivalDay] = []

    /// `arrived`: the postback's arrival, in Unix seconds. `installed`: the dates between which the install happened.
    mutating func addInstall(arrived: Int64, _ installed: EstimatedDates) {
        let day = dayNumber(arrived)
        let place = place(of: day)
        if place == days.count || days[place].day != day {
            days.insert(ArrivalDay(day: day, installed: installed), at: place)
        }
        days[place].installs += 1
        days[place].installed.widen(to: installed)
    }

    /// Returns the index in `days` of the first day that is not before `day`.
    private func place(of day: Int64) -> Int {
        var (low, high) = (0, days.count)
        while low < high {
            let middle = low + (high - low) / 2
            if days[middle].day < day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
