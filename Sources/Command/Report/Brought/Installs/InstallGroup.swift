internal import SKANCore

/// Installs of one model and one fine value at the end of window 0.
struct InstallGroup {
    /// The number of installs by coarse value; those without one are not counted.
    private var coarse = InlineArray<3, UInt64>(repeating: 0)
    /// Installs by age in weeks.
    private(set) var weeks: [AgedInstalls] = []
    /// Their states in windows 1 and 2.
    private(set) var later = LaterShares()

    static var fineValues: Int { ValueCounts.fineValues }
    /// The number of groups of one model; the last one has the installs without a fine value.
    static var count: Int { fineValues + 1 }
    /// Installs that are older count in the last week.
    private static var mostWeeks: Int { 520 }

    /// The number of all installs of the group.
    private(set) var installs = 0

    mutating func add(coarse value: UInt8?) {
        if let value, coarse.indices.contains(Int(value)) { coarse[Int(value)] &+= 1 }
    }

    mutating func add(_ revenue: KnownRevenue, week: Int, _ state: LaterState = .unknown) {
        let week = min(max(week, 0), InstallGroup.mostWeeks - 1)
        while weeks.count <= week { weeks.append(AgedInstalls()) }
        weeks[week].add(revenue, state)
        later.add(state)
        installs += 1
    }

    /// Sorts the installs of each week.
    mutating func order() {
        for week in weeks.indices { weeks[week].order() }
    }

    /// The most frequent coarse value; the lowest if no install has one.
    var coarseClass: Int {
        var most = 0
        for value in coarse.indices where coarse[value] > coarse[most] { most = value }
        return most
    }

    /// Mean revenue until a horizon, of the installs that are at least this many weeks old.
    func mean(_ horizon: Horizon, olderThan weeks: Int = 0) -> Double {
        let old = self.weeks.dropFirst(weeks)
        let count = old.reduce(0) { $0 + $1.count }
        let sum = old.reduce(0) { $1.revenues.reduce($0) { $0 + $1[horizon] } }
        return count > 0 ? sum / Double(count) : 0
    }
}
