import CSKANSystem

extension AssumptionWarning {
    /// A difference counts if it exceeds this many standard deviations. With two comparisons in each report, chance
    /// alone exceeds it in one of a hundred reports.
    private static var chance: Double { 2.8 }
    private static var least: Double { 0.8 }

    /// Warns that younger installs in the app's own store brought different amounts after window 0 than older ones with
    /// the same value, so that older installs do not predict younger ones.
    static func cohorts(_ groups: InstallGroups) -> AssumptionWarning? {
        guard let found = CohortComparison(groups) else { return nil }
        if isSeen(found.ratio, found.deviations) { return AssumptionWarning(finding: .cohorts, share: found.ratio) }
        guard let payers = found.payers, isSeen(payers.ratio, payers.deviations) else { return nil }
        return AssumptionWarning(finding: .cohortsOfPayers, share: payers.ratio)
    }

    private static func isSeen(_ ratio: Double, _ deviations: Double) -> Bool {
        deviations.magnitude > chance && !(least...1 / least).contains(ratio)
    }
}

/// A comparison of the younger half of the app's own installs ("late") with the older half ("early"), by revenue from
/// day 2 to day 7. Amounts above the 98 % quantile are capped at it.
private struct CohortComparison {
    /// The revenue of the younger half, divided by the revenue that the means of the older half predict for it.
    let ratio: Double
    /// The difference between the actual and the expected revenue of the younger half, divided by the standard
    /// deviation that a random division into halves has.
    let deviations: Double
    /// The ratio and the deviations for payers only, from the logarithms of their amounts, so that a few large amounts
    /// do not hide a difference.
    let payers: (ratio: Double, deviations: Double)?

    init?(_ groups: InstallGroups) {
        let all = (0..<groups.groupCount).map { groups[$0].weeks.map(CohortWeek.init) }
        let growths = all.flatMap { $0.dropFirst(Horizon.day7.weeks).flatMap { $0.growths } }.sorted()
        guard !growths.isEmpty else { return nil }
        let most = growths[growths.count * 98 / 100]
        let middle = CohortComparison.middle(all)
        var (expected, brought, variance, byEarlier, later) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for weeks in all where weeks.count > middle {
            let late = CohortHalf(weeks[Horizon.day7.weeks..<middle], most)
            let early = CohortHalf(weeks[middle...], most)
            guard late.count > 0, early.count > 0 else { continue }
            let count = late.count + early.count
            let mean = (late.sum + early.sum) / count
            let spread = (late.squares + early.squares) / count - mean * mean
            expected += late.count * mean
            brought += late.sum
            variance += late.count * early.count / (count - 1) * max(spread, 0)
            later += late.sum
            byEarlier += late.count * early.sum / early.count
        }
        guard variance > 0, byEarlier > 0 else { return nil }
        ratio = later / byEarlier
        deviations = (brought - expected) / variance.squareRoot()
        payers = CohortComparison.ofPayers(
            all.filter { $0.count > middle }.map { weeks in
                (weeks[Horizon.day7.weeks..<middle].flatMap { $0.growths }, weeks[middle...].flatMap { $0.growths })
            })
    }

    private static func ofPayers(_ groups: [(late: [Double], early: [Double])]) -> (ratio: Double, deviations: Double)?
    {
        var (sum, weights, squares, degrees) = (0.0, 0.0, 0.0, 0.0)
        for (late, early) in groups where !late.isEmpty && !early.isEmpty && late.count + early.count > 2 {
            let (lateLogs, earlyLogs) = (late.map { log($0) }, early.map { log($0) })
            let lateMean = lateLogs.reduce(0, +) / Double(late.count)
            let earlyMean = earlyLogs.reduce(0, +) / Double(early.count)
            let weight = 1 / (1 / Double(late.count) + 1 / Double(early.count))
            sum += weight * (lateMean - earlyMean)
            weights += weight
            squares += lateLogs.reduce(0) { $0 + ($1 - lateMean) * ($1 - lateMean) }
            squares += earlyLogs.reduce(0) { $0 + ($1 - earlyMean) * ($1 - earlyMean) }
            degrees += Double(late.count + early.count - 2)
        }
        guard weights > 0, degrees >= fewestPayers, squares > 0 else { return nil }
        let difference = sum / weights
        return (exp(difference), difference * weights.squareRoot() / (squares / degrees).squareRoot())
    }

    private static var fewestPayers: Double { 20 }

    /// The lowest week of age that belongs to the older half.
    private static func middle(_ all: [[CohortWeek]]) -> Int {
        let weeks = all.reduce(0) { max($0, $1.count) }
        let counts = (0..<weeks).map { week in
            week < Horizon.day7.weeks ? 0 : all.reduce(0) { $0 + ($1.indices.contains(week) ? $1[week].count : 0) }
        }
        let half = counts.reduce(0, +) / 2
        var sum = 0
        for (week, count) in counts.enumerated() {
            sum += count
            if sum >= half { return max(week + 1, Horizon.day7.weeks) }
        }
        return max(weeks, Horizon.day7.weeks)
    }
}

private struct CohortWeek {
    let count: Int
    /// The revenue from day 2 to day 7 of each install that had any.
    let growths: [Double]

    init(_ installs: AgedInstalls) {
        count = installs.count
        growths = installs.revenues.map { $0[.day7] - $0[.day2] }.filter { $0 > 0 }
    }
}

private struct CohortHalf {
    private(set) var count = 0.0
    private(set) var sum = 0.0
    private(set) var squares = 0.0

    init(_ weeks: ArraySlice<CohortWeek>, _ most: Double) {
        for week in weeks {
            count += Double(week.count)
            for growth in week.growths {
                sum += min(growth, most)
                squares += min(growth, most) * min(growth, most)
            }
        }
    }
}
