import SKANCommandRows
import SKANCore

/// The counts of a network, a campaign or an ad set.
struct LineCounts {
    private var installs = PerWindow<WindowCounts>(repeating: WindowCounts())
    /// One element with the counts of re-engagements; empty if there are none. The array saves memory, since there are
    /// many lines, and most have no re-engagements.
    private var reengagements: [PerWindow<WindowCounts>] = []
    private var dates = InlineArray<2, EstimatedDates?>(repeating: nil)
    var events = EventCounts()
    var weeks = ArrivalWeeks()
    /// Empty if the report's lines are not campaigns.
    var countries = CountryCounts()
    /// nil if no cost is given.
    var cost: Money?

    subscript(group: ConversionGroup, window: Window) -> WindowCounts {
        get {
            let windows = group == .installs ? installs : reengagements.first
            return windows?[Int(window.rawValue)] ?? WindowCounts()
        }
        set {
            guard group == .reengagements else {
                installs[Int(window.rawValue)] = newValue
                return
            }
            if reengagements.isEmpty { reengagements.append(PerWindow<WindowCounts>(repeating: WindowCounts())) }
            reengagements[0][Int(window.rawValue)] = newValue
        }
    }

    /// The range of dates of the group's winning conversions, without redownloads; nil if there are none.
    subscript(dates group: ConversionGroup) -> EstimatedDates? {
        get { dates[group.rawValue] }
        set { dates[group.rawValue] = newValue }
    }

    /// The number of installs and redownloads, by which costs and estimated revenue are divided.
    var installsWithRedownloads: UInt64 {
        let conversions = self[.installs, .first].conversions
        return conversions[.install] + conversions[.redownload]
    }

    /// Whether there are postbacks of re-engagements, winning or not.
    var hasReengagements: Bool { hasPostbacks(of: .reengagements) }

    /// Whether there are any postbacks, winning or not.
    var hasPostbacks: Bool { hasPostbacks(of: .installs) || hasReengagements }

    private func hasPostbacks(of group: ConversionGroup) -> Bool {
        for window in Window.all {
            let counts = self[group, window]
            if counts.winning > 0 || counts.lost > 0 { return true }
        }
        return false
    }

    /// Returns false if the sum would exceed `Money.mostReported`.
    mutating func add(cost more: Money?) -> Bool {
        more.map { cost.take(in: $0) } ?? true
    }

    /// Returns false if a sum of money would exceed `Money.mostReported`.
    mutating func add(_ more: LineCounts) -> Bool {
        events.add(more.events)
        weeks.add(more.weeks)
        countries.add(more.countries)
        var isFine = add(cost: more.cost)
        isFine = add(more, of: .installs) && isFine
        if !more.reengagements.isEmpty { isFine = add(more, of: .reengagements) && isFine }
        return isFine
    }

    private mutating func add(_ more: LineCounts, of group: ConversionGroup) -> Bool {
        self[dates: group].widen(to: more[dates: group])
        var isFine = true
        for window in Window.all { isFine = self[group, window].add(more[group, window]) && isFine }
        return isFine
    }
}
