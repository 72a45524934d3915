import CSKANSystem

/// The pace at which revenue comes after window 2. A player's daily revenue is taken to fall like a power of the age.
/// The power is fitted to the revenue after window 2 of the app's own installs of each age. Growths above the 98 %
/// quantile are capped at it, so that one large payer does not decide.
struct PaceAfterWindows {
    /// The relative probability of each of the `powers`.
    private var weights: [Double]
    /// The length of `ofWeeks`.
    private let weeks: Int
    /// The progress by week of age in the current draw. Progress is the expected revenue since day 35, in arbitrary
    /// units.
    private var ofWeeks: [Double] = []
    /// The progress at each horizon after the windows, in the current draw.
    private(set) var ends: [Double] = []

    private static var powers: [Double] { (0...25).map { Double($0) / 10 } }
    /// The mean and the standard deviation of the power's prior: revenue falls about like 1 / age.
    private static var usual: (power: Double, deviation: Double) { (1, 0.4) }
    /// The weight, as evidence, of one growth of an install's revenue. The standard deviation of amounts roughly equals
    /// their mean, so a growth counts for half as much as an event of fixed size.
    private static var worth: Double { 0.5 }

    init(_ groups: InstallGroups) {
        var (counts, growths) = ([Double](), [[Double]]())
        for group in 0..<groups.groupCount {
            for (week, installs) in groups[group].weeks.enumerated() where week >= Horizon.day35.weeks {
                while counts.count <= week {
                    counts.append(0)
                    growths.append([])
                }
                counts[week] += Double(installs.count)
                for revenue in installs.revenues {
                    if revenue.afterWindows > 0 { growths[week].append(revenue.afterWindows) }
                }
            }
        }
        weeks = max(counts.count, Horizon.day180.weeks) + 1
        let all = growths.flatMap { $0 }.sorted()
        let most = all.isEmpty ? 1 : all[all.count * 98 / 100]
        let usual = all.isEmpty ? 1 : all.reduce(0) { $0 + min($1, most) } / Double(all.count)
        let seen = growths.map { $0.reduce(0) { $0 + min($1, most) } / usual }
        let sum = seen.reduce(0, +)
        let likelihoods = PaceAfterWindows.powers.map { power in
            let distance = (power - PaceAfterWindows.usual.power) / PaceAfterWindows.usual.deviation
            var (likelihood, expected) = (0.0, 0.0)
            for week in counts.indices where counts[week] > 0 {
                let progress = PaceAfterWindows.progress(PaceAfterWindows.days(week), power)
                expected += counts[week] * progress
                likelihood += seen[week] * log(progress)
            }
            if sum > 0 { likelihood -= sum * log(expected) }
            return likelihood * PaceAfterWindows.worth - distance * distance / 2
        }
        let greatest = likelihoods.max() ?? 0
        weights = likelihoods.map { exp($0 - greatest) }
    }

    mutating func beginDraw(_ numbers: inout DrawnNumbers) {
        var left = numbers.part() * weights.reduce(0, +)
        let place = weights.firstIndex { weight in
            left -= weight
            return left < 0
        }
        let power = PaceAfterWindows.powers[place ?? weights.count - 1]
        ends = Horizon.afterWindows.map { PaceAfterWindows.progress(Double($0.days), power) }
        ofWeeks = (0..<weeks).map { PaceAfterWindows.progress(PaceAfterWindows.days($0), power) }
    }

    func progress(_ week: Int) -> Double { ofWeeks.isEmpty ? 0 : ofWeeks[min(max(week, 0), ofWeeks.count - 1)] }

    /// The mean age in days of installs in this week of age.
    private static func days(_ week: Int) -> Double { Double(week) * 7 + 3.5 }

    /// The expected revenue between day 35 and this age, in arbitrary units.
    private static func progress(_ days: Double, _ power: Double) -> Double {
        let (from, to) = (Double(Horizon.day35.days), max(days, Double(Horizon.day35.days)))
        let rest = 1 - power
        return rest.magnitude < 1e-9 ? log(to / from) : (pow(to, rest) - pow(from, rest)) / rest
    }
}
