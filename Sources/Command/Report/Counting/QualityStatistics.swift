import CSKANSystem

/// The two statistics by which the report warns. Both are exact tests, which assume nothing of how many postbacks a day
/// has.
enum QualityStatistics {
    /// A finding that comes about by chance less often than this is a warning.
    static var mostChance: Double { 0.001 }
    /// How many days before the last postback are looked at.
    static var days: Int64 { 90 }
    /// The days whose values are compared with those before.
    static var recentDays: Int64 { 7 }

    /// The probability that all of a network's active days lie before its silence, if they fell on any of the days
    /// alike: the first day and the days of silence are full days.
    static func chanceOfSilence(active: Int64, of days: Int64, silent: Int64) -> Double {
        guard silent > 0, active > 0, active <= days else { return 1 }
        var chance = 1.0
        for day in 0..<silent {
            chance *= Double(days + silent - active - day) / Double(days + silent - day)
            if chance < 1e-12 { return chance }
        }
        return chance
    }

    /// Fisher's exact test, one-sided: the probability of so many illegal values, or more, among the recent ones, if
    /// all values were illegal alike.
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

    /// The logarithm of the number of ways to choose some of all.
    private static func choices(_ all: UInt64, _ some: UInt64) -> Double {
        lgamma(Double(all) + 1) - lgamma(Double(some) + 1) - lgamma(Double(all - some) + 1)
    }
}
