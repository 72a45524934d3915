internal import CSKANSystem
internal import SKANCore

/// Compares the values in postbacks of windows 1 and 2 with those of own installs with the same fine values.
struct LaterWindows {
    private let postbacks: LaterPostbacks
    private let groups: InstallGroups
    /// The installs of each line; `valuesOf` has its values in windows 1 and 2.
    private var installsOf: [Int32: [(group: Int, day: Int64, count: Double)]] = [:]
    private var valuesOf: [Int32: [(key: LaterPostbacks.LaterValue, count: Double)]] = [:]

    /// nil if nothing can be compared: in a report of arrivals between two times, postbacks of a window may be missing.
    init?(_ postbacks: LaterPostbacks, _ groups: InstallGroups, isWhole: Bool) {
        let installs = postbacks.installs.values.reduce(0) { $0 + UInt64($1) }
        guard isWhole, installs > 0, postbacks.ofOtherModels * 50 <= installs else { return nil }
        (self.postbacks, self.groups) = (postbacks, groups)
        // In one order, so that sums are the same when they are repeated.
        for (key, count) in postbacks.installs.sorted(by: { $0.key < $1.key }) { add(key, Double(count)) }
        for (key, count) in postbacks.values { valuesOf[key.line, default: []].append((key, Double(count))) }
    }

    /// Installs from around a change of models count as of each that they may have.
    private mutating func add(_ key: LaterPostbacks.FineInstalls, _ count: Double) {
        let day = Int64(key.day)
        func add(_ model: Int, _ count: Double) {
            installsOf[key.line, default: []].append((model * InstallGroup.count + Int(key.fine), day, count))
        }
        guard key.model == PlaceOfModel.undecided else { return add(Int(key.model), count) }
        let models = groups.groupCount / InstallGroup.count
        let likelihoods = groups.likelihoods(fine: Int(key.fine), day: day, models: models)
        let sum = likelihoods.reduce(0, +)
        for (model, likelihood) in likelihoods.enumerated() where likelihood > 0 {
            add(model, count * likelihood / sum)
        }
    }

    /// Compares some lines together; answers nothing where few are expected.
    func checks(_ lines: [Int]) -> [LaterCheck] {
        var checks: [LaterCheck] = []
        for window in Window.later {
            for kind in LaterKind.allCases {
                if let check = check(lines, window, kind) { checks.append(check) }
            }
        }
        return checks
    }

    /// How likely the installs of some lines are own ones that told this or that.
    func weights(_ lines: [Int]) -> LaterWeights {
        var counts: [Int: Double] = [:]
        for line in lines {
            for (group, _, count) in installsOf[Int32(clamping: line)] ?? [] { counts[group, default: 0] += count }
        }
        let installs = counts.keys.sorted().filter { $0 < groups.groupCount }.map {
            (group: $0, count: counts[$0] ?? 0)
        }
        return LaterWeights(checks(lines), installs, groups)
    }

    private func check(_ lines: [Int], _ window: Window, _ kind: LaterKind) -> LaterCheck? {
        let days = days(window)
        guard days.lowerBound < days.upperBound else { return nil }
        var groupCounts: [Int: Double] = [:]
        // Days of install are known to a few days: some cross the ends.
        var crossing = 0.0
        var told = 0.0
        for line in lines {
            for (group, day, count) in installsOf[Int32(clamping: line)] ?? [] {
                if (day - days.lowerBound).magnitude <= 3 || (day - days.upperBound).magnitude <= 3 {
                    crossing += count / 4
                }
                guard days.contains(day) else { continue }
                groupCounts[group, default: 0] += count
            }
            for (key, count) in valuesOf[Int32(clamping: line)] ?? []
            where key.window == window.rawValue && days.contains(Int64(key.day)) {
                if kind == .any || key.coarse > 0 { told += count }
            }
        }
        var (installs, expected, variance, others) = (0.0, 0.0, 0.0, 0.0)
        for group in groupCounts.keys.sorted() where group < groups.groupCount {
            let count = groupCounts[group] ?? 0
            guard let own = groups[group].later.expected(count, window, kind) else {
                others += count
                continue
            }
            installs += count
            expected += own.mean
            variance += own.variance
        }
        // The few with values of which no own install tells are taken for the mean, give or take all of them.
        guard others <= LaterWindows.mostOthers * installs, installs > 0 else { return nil }
        expected *= 1 + others / installs
        variance += others * others / 4
        installs += others
        guard expected >= LaterCheck.fewest else { return nil }
        variance += crossing * expected / installs
        return LaterCheck(
            window: window, kind: kind, installs: installs, told: told, expected: expected,
            deviations: (told - expected) / max(variance, 1).squareRoot())
    }

    /// The days of install of which every postback of a window has arrived, and whose postback of window 0 is counted.
    private func days(_ window: Window) -> Range<Int64> {
        let first = postbacks.firstDay + 3
        let last = groups.now / Day.seconds - window.days.upperBound - LaterWindows.latest
        return first..<max(first, last)
    }

    /// Days after the end of a window by which its postback has arrived.
    private static var latest: Int64 { 7 }
    private static var mostOthers: Double { 0.05 }
}
