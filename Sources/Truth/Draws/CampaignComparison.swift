import CSKANSystem

/// A campaign compared with others: by return on ad spend if costs are given, otherwise by revenue per install.
package struct CampaignComparison {
    package let line: Int
    /// The probability that the campaign is better than all the others together.
    package let chance: Double
    /// The lines of the campaigns that this one is better than with a probability of at least 80 %, each with its
    /// probability.
    package private(set) var betterThan: [(line: Int, chance: Double)] = []
    /// About how many installs the campaign would need to decide the comparison with the others; nil if the comparison
    /// is decided already, or if the number is not known.
    package let needed: UInt64?

    /// The lowest probability with which one campaign is called better than another.
    package static var sure: Double { 0.8 }
    /// A normally distributed difference is above 0 with a probability of 80 % if its mean is this many standard
    /// deviations above 0.
    private static var sureDeviations: Double { 0.84 }
    /// The largest number that is shown as `needed`. If it would take more installs, the campaigns may be equally good.
    private static var mostNeeded: Double { 10_000_000 }

    /// A campaign to compare: its revenue in each draw, and the divisor, which is its cost or its number of installs.
    package struct Member {
        let line: Int
        let installs: UInt64
        let drawn: [Double]
        let divisor: Double

        package init(line: Int, installs: UInt64, drawn: [Double], divisor: Double) {
            (self.line, self.installs, self.drawn, self.divisor) = (line, installs, drawn, divisor)
        }
    }

    /// Compares each campaign with the others. If there are more than 60, only the 60 with the most installs are
    /// compared. The result is empty if there are fewer than two.
    @export(interface)
    package static func all(_ members: [Member]) -> [CampaignComparison] {
        guard members.count > 1, let draws = members.first?.drawn.count, draws > 0 else { return [] }
        let members = members.sorted { ($0.installs, $1.line) > ($1.installs, $0.line) }.prefix(most)
            .sorted { $0.line < $1.line }
        var sums = [Double](repeating: 0, count: draws)
        for member in members { for draw in 0..<draws { sums[draw] += member.drawn[draw] } }
        let divisors = members.reduce(0) { $0 + $1.divisor }
        return members.map { member in
            let others = Member(
                line: 0, installs: 0, drawn: zip(sums, member.drawn).map { $0 - $1 },
                divisor: divisors - member.divisor)
            let differences = member.differences(others)
            var comparison = CampaignComparison(
                line: member.line, chance: chance(differences), needed: needed(member.installs, differences))
            for other in members where other.line != member.line {
                let chance = chance(member.differences(other))
                if chance >= sure { comparison.betterThan.append((other.line, chance)) }
            }
            return comparison
        }
    }

    private static var most: Int { 60 }

    private init(line: Int, chance: Double, needed: UInt64?) {
        (self.line, self.chance, self.needed) = (line, chance, needed)
    }

    private static func chance(_ differences: [Double]) -> Double {
        drawnChance(differences) { $0 > 0 ? 1 : $0 == 0 ? 0.5 : 0 }
    }

    /// Returns the number of installs with which the difference would be certain enough. It is extrapolated: the error
    /// of a mean falls with the square root of the number of installs. `differences`: the difference in each draw.
    private static func needed(_ installs: UInt64, _ differences: [Double]) -> UInt64? {
        let count = Double(differences.count)
        let mean = differences.reduce(0, +) / count
        let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
        let chance = chance(differences)
        guard mean != 0, chance < sure, chance > 1 - sure else { return nil }
        let needed = Double(installs) * sureDeviations * sureDeviations * variance / (mean * mean)
        return needed > Double(installs) && needed <= mostNeeded ? UInt64(needed) : nil
    }
}

extension CampaignComparison.Member {
    fileprivate func differences(_ other: CampaignComparison.Member) -> [Double] {
        zip(drawn, other.drawn).map { $0 / divisor - $1 / other.divisor }
    }
}
