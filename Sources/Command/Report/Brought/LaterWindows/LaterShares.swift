internal import SKANCore

/// What own installs of one group told in windows 1 and 2.
struct LaterShares {
    /// The number of installs by the code of their state.
    private(set) var counts = InlineArray<16, Double>(repeating: 0)

    mutating func add(_ state: LaterState) { counts[state.code] += 1 }

    mutating func remove(_ state: LaterState) { counts[state.code] -= 1 }

    /// How many of `count` installs with this value are expected to tell one, and the variance if they are drawn from
    /// the own ones; nil if there are none that are old enough.
    func expected(_ count: Double, _ window: Window, _ kind: LaterKind) -> (mean: Double, variance: Double)? {
        let own = sum { $0[window] != .unknown }
        guard own > 1 else { return nil }
        let share = sum { kind.includes($0[window]) } / own
        // The own share is as unsure as that of so many.
        let part = max(own - count, 0) / (own - 1)
        return (count * share, max(count * share * (1 - share) * part, 0))
    }

    private func sum(_ isMeant: (LaterState) -> Bool) -> Double {
        LaterState.all.reduce(0) { $0 + (isMeant($1) ? counts[$1.code] : 0) }
    }
}

/// What is counted of later windows.
enum LaterKind: Int, CaseIterable {
    /// Any value.
    case any
    /// A medium or high one.
    case aboveLow

    func includes(_ told: LaterState.Told) -> Bool { self == .any ? told.isValue : told == .aboveLow }
}
