internal import SKANCore

/// Installs of one model and one fine value at the end of window 0.
struct InstallGroup {
    /// By coarse value, of those that have one.
    private(set) var coarse = InlineArray<3, UInt64>(repeating: 0)
    /// Of those that are old enough for it.
    private(set) var dated = InlineArray<3, RevenueMoments>(repeating: RevenueMoments())
    /// What the installs that are old enough for a horizon had brought until the horizon before it.
    private(set) var before = InlineArray<3, Double>(repeating: 0)
    /// What they brought to date, by their age in weeks.
    private(set) var weeks: [RevenueMoments] = []

    static var fineValues: Int { ValueCounts.fineValues }
    /// Also of installs without a fine value, which come last.
    static var count: Int { fineValues + 1 }
    /// Older ones count as of the last.
    private static var mostWeeks: Int { 520 }

    /// All of them.
    var installs: Double { dated[0].count }

    mutating func add(coarse value: UInt8?) {
        if let value, coarse.indices.contains(Int(value)) { coarse[Int(value)] &+= 1 }
    }

    /// Counts an install that is old enough for a horizon. `before`: what it had brought until the horizon before it.
    mutating func add(_ revenue: Double, _ horizon: Horizon, before: Double) {
        dated[horizon.rawValue].add(revenue)
        self.before[horizon.rawValue] += before
    }

    mutating func add(toDate revenue: Double, week: Int) {
        let week = min(max(week, 0), InstallGroup.mostWeeks - 1)
        while weeks.count <= week { weeks.append(RevenueMoments()) }
        weeks[week].add(revenue)
    }

    /// The coarse value that most have; the lowest where none has one.
    var coarseClass: Int {
        var most = 0
        for value in coarse.indices where coarse[value] > coarse[most] { most = value }
        return most
    }

    /// So many installs of near weeks stand for those of a week that has fewer.
    private static var pooled: Double { 20 }

    /// By age in weeks, with the neighbours of weeks that have few.
    func pooledWeeks(_ count: Int) -> [RevenueMoments] {
        (0..<count).map { week in
            var pool = RevenueMoments()
            var reach = 0
            repeat {
                pool = RevenueMoments()
                for near in max(0, week - reach)...min(count - 1, week + reach) where near < weeks.count {
                    pool.add(weeks[near])
                }
                reach += 1
            } while pool.count < InstallGroup.pooled && reach < count
            return pool
        }
    }
}
