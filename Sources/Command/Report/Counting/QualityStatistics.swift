import CSKANSystem

/// The two statistical tests behind the report's warnings. Both are exact, and assume nothing about the number of
/// postbacks on a day.
enum QualityStatistics {
    /// The report warns of a finding if its probability by chance alone is below this.
    static var mostChance: Double { 0.001 }
    /// The number of days that the tests examine, up to and including the day of the last postback.
    static var days: Int64 { 90 }
    /// The number of days that count as recent. Their values are compared with those of the other examined days.
    static var recentDays: Int64 { 7 }

    /// Returns the probability that a network is silent on the last days by chance alone, if each day were equally
    /// likely to have postbacks. `active`: the number of days with postbacks among the first `days` days, of which the
    /// first counts as a full day. `silent`: the number of full days after these.
    static func chanceOfSilence(active: Int64, of days: Int64, silent: Int64) -> Double {
        guard silent > 0, active > 0, active <= days else { return 1 }
        var chance = 1.0
        for day in 0..<silent {
            chance *= Double(days + silent - active - day) / Double(days + silent - day)
            if chance < 1e-12 { return chance }
        }
        return chance
    }

    /// Returns the probability of at least this many illegal values among the recent ones, if recent and earlier values
    /// were equally likely to be illegal (Fisher's exact test, one-sided).
    static func chanceOfRise(recent: ValueDay, earlier: ValueDay) -> Double {
        let (recentCount, earlierCount) = (recent.illegal + recent.readable, earlier.illegal + earlier.readable)
        let illegal = recent.illegal + earlier.illegal
        guard recent.illegal > 0, recentCount > 0, earlierCount > 0 else { return 1 }
        let legal = recentCount + earlierCount - illegal
        let all = choices(recentCount + earlierCount, recentCount)
        var chance = 0.0
        for count in recent.illegal...min(illegal, recentCount) where recentCount - count <= legal {
            let part = exp(choices(illegal, count) + choices(legal, recentCount - count) - all)
            chance += part
            if part < chance * 1e-9 { break }
        }
        return min(chance, 1)
    }

    /// Returns the logarithm of the number of ways to choose `some` of `all` items.
    private static func choices(_ all: UInt64, _ some: UInt64) -> Double {
        lgamma(Double(all) + 1) - lgamma(Double(some) + 1) - lgamma(Double(all - some) + 1)
    }
}
