import CSKANSystem
package import SKANCore

/// The counts of some lines in one window, either 1 or 2: the number of values that postbacks of this window reported,
/// and, by group, the number of installs for which such a postback is possible.
struct LaterCounts {
    let window: Window
    private var groupCounts: [Int: Double] = [:]
    /// Indexed by `LaterKind`.
    private var values = InlineArray<3, Double>(repeating: 0)
    /// About how many installs are on the wrong side of the first or the last counted day, because the day of an
    /// install is not known exactly.
    private(set) var crossing = 0.0

    init(_ window: Window) { self.window = window }

    mutating func add(_ count: Double, group: Int, isCounted: Bool, isNear: Bool) {
        if isNear { crossing += count / 4 }
        if isCounted { groupCounts[group, default: 0] += count }
    }

    mutating func add(_ count: Double, coarse: Int) {
        for kind in LaterKind.allCases where coarse + 1 >= kind.level { values[kind.rawValue] += count }
    }

    /// Sorted by the index of the group.
    var installs: [(group: Int, count: Double)] {
        groupCounts.keys.sorted().map { (group: $0, count: groupCounts[$0] ?? 0) }
    }

    func reported(_ kind: LaterKind) -> Double { values[kind.rawValue] }

    /// Compares the number of reported values of this kind with the number that `groups` predict. Returns nil if too
    /// few values are expected, or if too many installs have a value that none of the app's own installs of sufficient
    /// age has. `afterSilence`: whether window 2 has a postback even if window 1 had no value.
    func check(_ kind: LaterKind, _ groups: InstallGroups, afterSilence: Bool) -> LaterCheck? {
        guard let expected = expected(kind, groups, afterSilence), expected.mean >= LaterCheck.fewest else {
            return nil
        }
        return LaterCheck(
            window: window, kind: kind, installs: expected.installs, told: reported(kind), expected: expected.mean,
            deviations: (reported(kind) - expected.mean) / max(expected.variance, 1).squareRoot())
    }

    private func expected(_ kind: LaterKind, _ groups: InstallGroups, _ afterSilence: Bool)
        -> (installs: Double, mean: Double, variance: Double)?
    {
        var (installs, mean, variance, others) = (0.0, 0.0, 0.0, 0.0)
        for (group, count) in self.installs where group < groups.groupCount {
            guard let own = groups[group].later.expected(count, window, kind, afterSilence: afterSilence)
            else {
                others += count
                continue
            }
            installs += count
            mean += own.mean
            variance += own.variance
        }
        // The few installs with a value that none of the app's own installs of sufficient age has are assumed to be
        // average, with a standard deviation of half their number.
        guard others <= LaterCounts.mostOthers * installs, installs > 0 else { return nil }
        mean *= 1 + others / installs
        variance += others * others / 4
        installs += others
        variance += crossing * mean / installs
        return (installs, mean, variance)
    }

    private static var mostOthers: Double { 0.05 }
}

/// A comparison of the number of values that some lines report in window 1 or 2 with the number that the app's own
/// installs predict.
package struct LaterCheck {
    package let window: Window
    package let kind: LaterKind
    /// The number of installs that reported a value in window 0.
    package let installs: Double
    package let told: Double
    package let expected: Double
    /// The difference between the reported and the expected number, in standard deviations.
    package let deviations: Double

    /// The smallest expected number of values for which a check is made.
    static var fewest: Double { 20 }
    package var ratio: Double { told / expected }

    /// Whether the behaviour of players can explain the difference. If not, postbacks are missing, or belong to other
    /// installs.
    package var isPlausible: Bool { (LaterCheck.least...1 / LaterCheck.least).contains(ratio) }
    private static var least: Double { 0.35 }
}
