import SKANCore

/// The installs whose postback of window 0 carried a value, and the values in postbacks of windows 1 and 2, line by
/// line.
package struct LaterWindows {
    private let groups: InstallGroups
    private let firstDay: Int64
    /// Whether window 2 has postbacks of installs without a value in window 1; Apple does not document it.
    var sendsAfterSilence = true
    private var installsOf: [Int32: [(group: Int, day: Int64, count: Double)]] = [:]
    private var valuesOf: [Int32: [(key: LaterPostbacks.LaterValue, count: Double)]] = [:]

    /// Spreads a line's installs with a reported coarse value over the fine values of that value's class.
    typealias Spread = (_ line: Int, _ model: Int, _ coarse: Int) -> [(value: Int, share: Double)]

    /// Returns nil if nothing can be compared: the report does not cover all arrivals, so postbacks of a window may be
    /// missing; there are no installs; or more than 2 % of them have models that were not given.
    init?(_ postbacks: LaterPostbacks, _ groups: InstallGroups, isWhole: Bool, _ spread: Spread) {
        let installs = postbacks.installs.values.reduce(0) { $0 + UInt64($1) }
        guard isWhole, installs > 0, postbacks.ofOtherModels * 50 <= installs else { return nil }
        (self.groups, firstDay) = (groups, postbacks.firstDay)
        // Added in a fixed order, so that the floating-point sums are the same in every run.
        for (key, count) in postbacks.installs.sorted(by: { $0.key < $1.key }) { add(key, Double(count), spread) }
        for (key, count) in postbacks.values { valuesOf[key.line, default: []].append((key, Double(count))) }
    }

    /// Installs from around a change of models are split between the models that they can have.
    private mutating func add(_ key: LaterPostbacks.ReportingInstalls, _ count: Double, _ spread: Spread) {
        guard key.model == PlaceOfModel.undecided else { return add(key, Int(key.model), count, spread) }
        let likelihoods = groups.likelihoods(key.reported, day: Int64(key.day))
        let sum = likelihoods.reduce(0, +)
        for (model, likelihood) in likelihoods.enumerated() where likelihood > 0 {
            add(key, model, count * likelihood / sum, spread)
        }
    }

    private mutating func add(
        _ key: LaterPostbacks.ReportingInstalls, _ model: Int, _ count: Double, _ spread: Spread
    ) {
        let values: [(value: Int, share: Double)] =
            switch key.reported {
            case .fine(let fine): [(fine, 1)]
            case .coarse(let coarse): spread(Int(key.line), model, coarse)
            case .hidden: []
            }
        for (value, share) in values {
            let group = model * InstallGroup.count + value
            installsOf[key.line, default: []].append((group, Int64(key.day), count * share))
        }
    }

    func counts(_ lines: [Int], _ window: Window) -> LaterCounts {
        let days = days(window)
        var counts = LaterCounts(window)
        for line in lines {
            for (group, day, count) in installsOf[Int32(clamping: line)] ?? [] {
                // The day of install is known only to within a few days, so installs near the limits may be on the
                // wrong side.
                let isNear = [days.lowerBound, days.upperBound].contains { (day - $0).magnitude <= 3 }
                counts.add(count, group: group, isCounted: days.contains(day), isNear: isNear)
            }
            for (key, count) in valuesOf[Int32(clamping: line)] ?? []
            where key.window == window.rawValue && days.contains(Int64(key.day)) {
                counts.add(count, coarse: Int(key.coarse))
            }
        }
        return counts
    }

    /// Compares some lines together with the app's own installs. Leaves out kinds of values of which few are expected.
    package func checks(_ lines: [Int]) -> [LaterCheck] {
        Window.later.flatMap { window in
            let counts = counts(lines, window)
            return LaterKind.allCases.compactMap { counts.check($0, groups, afterSilence: sendsAfterSilence) }
        }
    }

    /// The days of install for which all postbacks of a window have arrived, and all postbacks of window 0 are counted.
    private func days(_ window: Window) -> Range<Int64> {
        let first = firstDay + 3
        let last = groups.now / Day.seconds - window.days.upperBound - LaterWindows.latest
        return first..<max(first, last)
    }

    /// The number of days after a window's end within which all its postbacks arrive.
    private static var latest: Int64 { 7 }
}

extension LaterPostbacks.ReportingInstalls {
    fileprivate var reported: ReportedValue {
        value < Self.coarse ? .fine(Int(value)) : .coarse(Int(value - Self.coarse))
    }
}
