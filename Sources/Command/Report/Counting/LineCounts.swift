internal import SKANCore

/// What was counted for a network, a campaign or an ad set.
struct LineCounts {
    private var windows = InlineArray<2, PerWindow<WindowCounts>>(
        repeating: PerWindow<WindowCounts>(repeating: WindowCounts()))
    private var dates = InlineArray<2, EstimatedDates?>(repeating: nil)
    /// nil where none is told.
    var cost: Money?

    subscript(group: ConversionGroup, window: Window) -> WindowCounts {
        get { windows[group.rawValue][Int(window.rawValue)] }
        set { windows[group.rawValue][Int(window.rawValue)] = newValue }
    }

    /// Of those that were won; of installs without redownloads.
    subscript(dates group: ConversionGroup) -> EstimatedDates? {
        get { dates[group.rawValue] }
        set { dates[group.rawValue] = newValue }
    }

    /// Whether there are re-engagements, won or not.
    var hasReengagements: Bool {
        for window in Window.all {
            let counts = self[.reengagements, window]
            if counts.winning > 0 || counts.lost > 0 { return true }
        }
        return false
    }

    /// False where the sum would leave the range.
    mutating func add(cost more: Money?) -> Bool {
        guard let more else { return true }
        var sum = cost ?? .zero
        let isFine = sum.take(in: more)
        cost = sum
        return isFine
    }

    /// False where a sum of money would leave the range.
    mutating func add(_ more: LineCounts) -> Bool {
        var isFine = add(cost: more.cost)
        for group in windows.indices {
            dates[group].widen(to: more.dates[group])
            for window in windows[group].indices {
                isFine = windows[group][window].add(more.windows[group][window]) && isFine
            }
        }
        return isFine
    }
}
