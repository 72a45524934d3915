import SKANCore

extension AssumptionWarning {
    private static var most: Double { 0.02 }
    private static var fewest: Double { 10 }

    /// The tolerance for the days of install, which are not known exactly: this share of a week's installs, plus this
    /// number, can belong to the week before or after.
    private static var blur: (share: Double, count: Double) { (0.15, 3) }

    /// Warns that postbacks report more installs with a value than the app's own store has. Either the store is of
    /// another app, or installs are not registered.
    static func missingInstalls(_ groups: InstallGroups, _ values: [PostbackValueCount]) -> AssumptionWarning? {
        let installs = values.reduce(0) { $0 + Double($1.count) }
        var left = (0..<groups.groupCount).map { Double(groups[$0].installs) }
        var lacking = max(installs - left.reduce(0, +), 0)
        var ofValues = 0.0
        for value in values {
            guard case .fine(let fine) = value.key.value else { continue }
            let group = value.key.model * InstallGroup.count + fine
            guard left.indices.contains(group) else { continue }
            ofValues += max(Double(value.count) - max(left[group], 0), 0)
            left[group] -= Double(value.count)
        }
        lacking = max(lacking, ofValues, ofWeeks(groups, values), ofDays(groups, values))
        guard lacking >= fewest, lacking > most * installs else { return nil }
        return AssumptionWarning(finding: .missingInstalls, share: lacking / installs)
    }

    /// The largest number by which reported installs, of any value, exceed the store's in a run of consecutive days.
    /// The store's installs of two days before and after the run count too, because postbacks do not give the exact
    /// day.
    private static func ofDays(_ groups: InstallGroups, _ values: [PostbackValueCount]) -> Double {
        var told: [Int64: Double] = [:]
        for value in values { told[value.key.day, default: 0] += Double(value.count) }
        guard let first = told.keys.min(), let last = told.keys.max(), last - first < mostDays else { return 0 }
        // Running sums: the reported installs until the current day, and the store's until a few days before and after
        // it.
        var sum = 0.0
        var own = (
            before: 0.0, after: (first - daysBeside..<first + daysBeside).reduce(0) { $0 + groups.installs(on: $1) }
        )
        var (least, most) = (Double.infinity, 0.0)
        for day in first...last {
            least = min(least, sum - own.before)
            sum += told[day] ?? 0
            own.after += groups.installs(on: day + daysBeside)
            most = max(most, sum - own.after - least)
            own.before += groups.installs(on: day - daysBeside)
        }
        return most
    }

    private static var daysBeside: Int64 { 2 }
    private static var mostDays: Int64 { 10_000 }

    /// The number by which reported installs with a fine value exceed the store's with that value, summed over weeks
    /// and values.
    private static func ofWeeks(_ groups: InstallGroups, _ values: [PostbackValueCount]) -> Double {
        var told: [Int: Double] = [:]
        let today = groups.now / Day.seconds
        let weeks = 1024
        for value in values {
            guard case .fine(let fine) = value.key.value else { continue }
            let week = Int(min(max(today - value.key.day, 0) / 7, Int64(weeks) - 1))
            told[(value.key.model * InstallGroup.count + fine) * weeks + week, default: 0] += Double(value.count)
        }
        return told.keys.sorted().reduce(0) { sum, key in
            let (group, week) = key.quotientAndRemainder(dividingBy: weeks)
            guard group < groups.groupCount else { return sum }
            let own = groups[group].weeks.indices.contains(week) ? Double(groups[group].weeks[week].count) : 0
            return sum + max((told[key] ?? 0) - own * (1 + blur.share) - blur.count, 0)
        }
    }
}
