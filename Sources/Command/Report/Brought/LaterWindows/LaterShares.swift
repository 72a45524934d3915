internal import SKANCore

/// What own installs of one group told in windows 1 and 2, of those that are old enough for it.
struct LaterShares {
    private var installs = InlineArray<2, Double>(repeating: 0)
    /// How many told any value, and how many one above the lowest, by window.
    private var counts = InlineArray<2, InlineArray<2, Double>>(repeating: InlineArray(repeating: 0))

    mutating func add(_ install: borrowing InstallState, age: Int64) {
        for window in Window.later where age >= window.days.upperBound * ArrivalDay.seconds {
            let place = Int(window.rawValue) - 1
            installs[place] += 1
            guard let coarse = install.windows[window].coarse else { continue }
            counts[place][0] += 1
            if coarse > 0 { counts[place][1] += 1 }
        }
    }

    /// How many of `count` installs with this value are expected to tell one, and the variance where they are
    /// drawn from the own ones; nil where there are none.
    func expected(_ count: Double, _ window: Window, _ kind: LaterKind) -> (mean: Double, variance: Double)? {
        let place = Int(window.rawValue) - 1
        let own = installs[place]
        guard own > 1 else { return nil }
        let share = counts[place][kind.rawValue] / own
        // The own share is as unsure as that of so many.
        let part = max(own - count, 0) / (own - 1)
        return (count * share, max(count * share * (1 - share) * part, 0))
    }
}

/// What is counted of later windows.
enum LaterKind: Int, CaseIterable {
    /// Any value.
    case any
    /// A medium or high one.
    case aboveLow
}

extension Window {
    static var later: [Window] { [.second, .third] }
}
