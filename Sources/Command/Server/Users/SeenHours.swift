/// The number of users last seen in each hour.
struct SeenHours {
    private var counts: [Int64: UInt64] = [:]
    private(set) var count: UInt64 = 0

    /// `last`: when the user was last seen, in Unix seconds.
    mutating func add(_ last: Int64) {
        counts[last / 3600, default: 0] += 1
        count += 1
    }

    /// Returns the selection of the `number` least recently seen users: all users of the hours before a certain one,
    /// and some users of that hour.
    func oldest(_ number: UInt64) -> Oldest {
        var left = number
        for (hour, count) in counts.sorted(by: { $0.key < $1.key }) {
            if count >= left { return Oldest(hour: hour, left: left) }
            left -= count
        }
        return Oldest(hour: .max, left: 0)
    }

    struct Oldest {
        fileprivate let hour: Int64
        /// The number of users last seen in `hour` who can still be selected.
        fileprivate var left: UInt64

        /// Selects a user who was last seen at this time, unless enough are selected; returns whether the user was
        /// selected.
        mutating func take(_ last: Int64) -> Bool {
            if last / 3600 != hour { return last / 3600 < hour }
            if left == 0 { return false }
            left -= 1
            return true
        }
    }
}
