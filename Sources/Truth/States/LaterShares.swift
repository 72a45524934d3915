import SKANCore

/// The number of installs with each state of windows 1 and 2.
struct LaterShares {
    private(set) var counts = PerLaterState<Double>(repeating: 0)

    mutating func add(_ state: LaterState) { add(1, state) }

    mutating func add(_ count: Double, _ state: LaterState) { counts[state.code] += count }

    mutating func add(_ more: LaterShares) {
        for code in counts.indices { counts[code] += more.counts[code] }
    }

    mutating func remove(_ state: LaterState) { counts[state.code] -= 1 }

    /// The expected number of installs with a value in a window, out of `count` installs of this group, and its
    /// variance if they are drawn from the app's own installs; nil if too few of those are old enough. `afterSilence`:
    /// whether window 2 has a postback even if window 1 had no value.
    func expected(_ count: Double, _ window: Window, _ kind: LaterKind, afterSilence: Bool)
        -> (mean: Double, variance: Double)?
    {
        let own = sum { $0[window].level != nil }
        guard own > 1 else { return nil }
        let share =
            sum {
                kind.includes($0[window]) && (afterSilence || window == .second || LaterKind.any.includes($0[.second]))
            } / own
        // The finite population correction for sampling without replacement.
        let part = max(own - count, 0) / (own - 1)
        return (count * share, max(count * share * (1 - share) * part, 0))
    }

    func sum(_ isMeant: (LaterState) -> Bool) -> Double {
        LaterState.all.reduce(0) { $0 + (isMeant($1) ? counts[$1.code] : 0) }
    }
}

/// The kinds of values that are counted in windows 1 and 2. Each kind includes the next one.
package enum LaterKind: Int, CaseIterable {
    case any
    /// A medium or high value.
    case aboveLow
    case high

    /// The lowest `LaterState.Told.level` that the kind includes.
    var level: Int { rawValue + 1 }

    func includes(_ told: LaterState.Told) -> Bool { told.level.map { $0 >= level } ?? false }
}
