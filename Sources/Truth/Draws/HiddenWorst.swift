/// The two worst cases for the estimate if values are hidden for being low or high: the installs without a reported
/// fine value have either the lowest or the highest of the values left among the app's own installs.
struct HiddenWorst {
    /// For each line, the number of installs without a reported fine value, by model and by coarse value, if any.
    private var hidden: [[Kind: Int]]
    /// For each line, the total revenue of the installs without a reported fine value, averaged over the draws.
    private var means: [InstallRevenue]
    /// The mean revenue of the installs of each group.
    private let worth: [InstallRevenue]
    /// The number of the app's own installs in each group for which no postback carried a fine value.
    private let untold: [Int]
    private let classes: [Int]

    private struct Kind: Hashable, Comparable {
        let model: Int
        let coarse: Int?

        /// Installs with a coarse value come first.
        static func < (one: Kind, other: Kind) -> Bool {
            (one.model, one.coarse ?? .max) < (other.model, other.coarse ?? .max)
        }
    }

    init(_ told: [ReportedInstalls], _ groups: InstallGroups, untold: [Int], lines: Int) {
        hidden = [[Kind: Int]](repeating: [:], count: lines)
        means = [InstallRevenue](repeating: .zero, count: lines)
        self.untold = untold
        let all = (0..<groups.groupCount).map { groups[$0] }
        classes = all.map { $0.coarseClass }
        worth = all.map { group in
            var worth = InstallRevenue.zero
            for horizon in Horizon.allCases {
                worth[horizon.rawValue] = group.mean(horizon, olderThan: horizon.weeks)
            }
            return worth
        }
        for installs in told {
            guard case .known(let model) = installs.model else { continue }
            switch installs.value {
            case .fine: break
            case .coarse(let coarse):
                hidden[installs.line][Kind(model: model, coarse: coarse), default: 0] += installs.count
            case .hidden: hidden[installs.line][Kind(model: model, coarse: nil), default: 0] += installs.count
            }
        }
    }

    /// Adds the revenue of a hidden install in one draw, already divided by the number of draws, to the mean of its
    /// line.
    mutating func add(_ revenue: InstallRevenue, line: Int) { means[line] += revenue }

    /// The figure's interval, widened to both worst cases; nil if no value is hidden.
    func interval(_ figure: BroughtFigure, _ lines: [Int], _ horizon: Horizon) -> (low: Double, high: Double)? {
        var counts: [Kind: Int] = [:]
        var mean = 0.0
        for line in lines {
            for (kind, count) in hidden[line] { counts[kind, default: 0] += count }
            mean += means[line][horizon.rawValue]
        }
        guard !counts.isEmpty else { return nil }
        let least = sum(counts, horizon) { $0 < $1 }
        let most = sum(counts, horizon) { $0 > $1 }
        return (min(figure.low - mean + least, figure.low), max(figure.high - mean + most, figure.high))
    }

    private func sum(_ counts: [Kind: Int], _ horizon: Horizon, _ isBefore: (Double, Double) -> Bool) -> Double {
        var left = untold
        var sum = 0.0
        let place = horizon.rawValue
        for kind in counts.keys.sorted() {
            var wanted = counts[kind] ?? 0
            let first = kind.model * InstallGroup.count
            let groups = (first..<first + InstallGroup.count).filter { group in
                left.indices.contains(group) && kind.coarse.map { $0 == classes[group] } ?? true
            }
            for group in groups.sorted(by: { isBefore(worth[$0][place], worth[$1][place]) }) where wanted > 0 {
                let taken = min(wanted, left[group])
                left[group] -= taken
                wanted -= taken
                sum += Double(taken) * worth[group][place]
            }
        }
        return sum
    }
}
