/// The app's own installs with one model and one fine value, or none, at the end of window 0.
struct InstallGroup {
    /// The number of installs with each coarse value; installs without one are not counted.
    private var coarse = InlineArray<3, UInt64>(repeating: 0)
    /// Indexed by age in weeks.
    private(set) var weeks: [AgedInstalls] = []
    private(set) var later = LaterShares()

    /// The number of fine values, which are 0 to 63.
    static var fineValues: Int { 64 }
    /// The number of groups of one model; the last one has the installs without a fine value.
    static var count: Int { fineValues + 1 }
    /// The maximum number of weeks; older installs count in the last one.
    private static var mostWeeks: Int { 520 }

    private(set) var installs = 0

    mutating func add(coarse value: UInt8?) {
        if let value, coarse.indices.contains(Int(value)) { coarse[Int(value)] += 1 }
    }

    mutating func add(_ revenue: KnownRevenue, week: Int, _ state: LaterState = .unknown) {
        let week = min(max(week, 0), InstallGroup.mostWeeks - 1)
        while weeks.count <= week { weeks.append(AgedInstalls()) }
        weeks[week].add(revenue, state)
        later.add(state)
        installs += 1
    }

    mutating func order() {
        for week in weeks.indices { weeks[week].order() }
    }

    /// The coarse value that most installs have; 0 if none has one.
    var coarseClass: Int {
        var most = 0
        for value in coarse.indices where coarse[value] > coarse[most] { most = value }
        return most
    }

    /// The mean revenue until a horizon of the installs that are at least this many weeks old.
    func mean(_ horizon: Horizon, olderThan weeks: Int = 0) -> Double {
        let old = self.weeks.dropFirst(weeks)
        let count = old.reduce(0) { $0 + $1.count }
        let sum = old.reduce(0) { $1.revenues.reduce($0) { $0 + $1[horizon] } }
        return count > 0 ? sum / Double(count) : 0
    }
}
