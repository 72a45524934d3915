import CSKANSystem

/// The share of the growth between two horizons that has happened at an age between them, by week of age. It is
/// estimated by comparing the growth of young installs so far with the growth that older installs predict for them.
/// Growths above the 98 % quantile are capped at it, so that one large payer does not decide.
struct GrowthProgress {
    /// The growth observed so far by week of age, in multiples of the mean growth.
    private var seen: [Double]
    /// The growth that the observed installs are expected to have until the horizon, by week of age, in the same unit.
    private var expected: [Double]
    /// The share of the growth that has happened, by week of age, in the current draw.
    private(set) var shares: [Double] = []

    init(_ groups: InstallGroups, _ sources: [[GrowthSource?]], _ urns: [GrowthUrn]) {
        seen = [Double](repeating: 0, count: GrowthProgress.usual.count)
        expected = seen
        for (place, horizon) in GrowthSource.ofWindows.enumerated() {
            let before = horizon.growsFrom
            let used = Set(sources.compactMap { $0[place]?.urn }).sorted()
            let growths = used.flatMap { urns[$0].positive }.sorted()
            guard !growths.isEmpty else { continue }
            let most = growths[growths.count * 98 / 100]
            let usual = growths.reduce(0) { $0 + min($1, most) } / Double(growths.count)
            let means = urns.map { $0.mean(atMost: most) / usual }
            for group in 0..<groups.groupCount {
                guard let source = sources[group][place] else { continue }
                for (week, installs) in groups[group].weeks.enumerated().prefix(horizon.weeks)
                where week >= before.weeks {
                    expected[week] += Double(installs.count) * means[source.urn] * source.scale
                    for revenue in installs.revenues {
                        let growth = revenue[.toDate] - revenue[before]
                        seen[week] += min(growth, most) / usual
                    }
                }
            }
        }
    }

    mutating func beginDraw(_ numbers: inout DrawnNumbers) {
        shares = seen.indices.map { week in
            let before = GrowthProgress.weight * GrowthProgress.usual[week]
            let drawn = numbers.gamma(max(seen[week], 0) + before)
            return min(drawn / (expected[week] + GrowthProgress.weight), 1)
        }
    }

    /// The usual progress counts as much as this number of observed growths.
    private static var weight: Double { 5 }
    /// The usual progress for each week of age, if a player's daily revenue falls like 1 / age. It is the mean over the
    /// week of (ln age - ln 2) / (ln 7 - ln 2) until day 7, and likewise from day 7 to day 35.
    private static var usual: [Double] { [0.60, 0.23, 0.56, 0.78, 0.93] }
}

extension GrowthUrn {
    fileprivate var positive: [Double] { growths.map { $0.amount }.filter { $0 > 0 } }
}
