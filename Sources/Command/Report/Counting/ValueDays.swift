import SKANCommandRows
import SKANCore

/// Counts of a network's postbacks that arrived on one day, or on several days together.
struct ValueDay {
    var postbacks: UInt64 = 0
    /// The number of postbacks with a fine or coarse value.
    var readable: UInt64 = 0
    /// The number of postbacks whose value has no meaning.
    var illegal: UInt64 = 0

    mutating func add(_ more: ValueDay) {
        postbacks += more.postbacks
        readable += more.readable
        illegal += more.illegal
    }
}

/// Counts of a network's postbacks by day of arrival. Day 0 is 1 January 1970, UTC.
struct ValueDays {
    private var days: [Int64: ValueDay] = [:]
    private(set) var first: Int64 = .max
    private(set) var last: Int64 = .min
    /// The arrival time of the last postback, in Unix seconds; `.min` without postbacks.
    private(set) var lastArrival: Int64 = .min

    mutating func add(_ observed: borrowing ObservedPostback) {
        let day = dayNumber(observed.received)
        days[day, default: ValueDay()].postbacks += 1
        if observed.isIllegal {
            days[day, default: ValueDay()].illegal += 1
        } else if observed.fine != nil || observed.coarse != nil {
            days[day, default: ValueDay()].readable += 1
        }
        first = min(first, day)
        last = max(last, day)
        lastArrival = max(lastArrival, observed.received)
    }

    var isEmpty: Bool { days.isEmpty }

    /// Returns the number of days with postbacks in a range of days since 1970.
    func active(_ range: ClosedRange<Int64>) -> Int64 { Int64(days.keys.count { range.contains($0) }) }

    func sum(_ range: ClosedRange<Int64>) -> ValueDay {
        var sum = ValueDay()
        for (day, counts) in days where range.contains(day) { sum.add(counts) }
        return sum
    }
}

/// Returns the day of a moment, in days since 1970, UTC. `moment`: Unix seconds.
func dayNumber(_ moment: Int64) -> Int64 { moment / Day.seconds - (moment % Day.seconds < 0 ? 1 : 0) }
