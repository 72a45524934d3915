/// The revenue of each line, and that of organic installs, in many draws.
struct BroughtDraws {
    /// The revenue of each line in each draw; the lines of one draw are adjacent.
    private var sums: [SIMD8<Float>]
    /// The mean revenue of each line over all draws.
    private var means: [InstallRevenue]
    private var organic: [InstallRevenue]
    private let lines: Int
    /// The number of the report's lines, not counting cells.
    private let ownLines: Int
    private let count: Int

    /// `cells`: the number of cells, such as weeks, which are numbered after the lines.
    init(lines ownLines: Int, cells: Int, draws: Int) {
        let lines = ownLines + cells
        (self.lines, self.ownLines, count) = (lines, ownLines, draws)
        sums = [SIMD8<Float>](repeating: .zero, count: lines * draws)
        means = [InstallRevenue](repeating: .zero, count: lines)
        organic = []
    }

    mutating func add(_ revenues: [InstallRevenue], organic: InstallRevenue) {
        let first = self.organic.count * lines
        for (line, revenue) in revenues.enumerated() {
            sums[first + line] = SIMD8<Float>(revenue)
            means[line] += revenue / Double(count)
        }
        self.organic.append(organic)
    }

    /// The estimated revenue of some lines together up to a horizon. Its interval leaves out the lowest and the highest
    /// 2 % of the draws, slightly less than a 95 % interval would, because draws do not show all uncertainty.
    func figure(_ lines: [Int], _ horizon: Horizon) -> BroughtFigure {
        let place = horizon.rawValue
        // The mean of each line is rounded to whole cents, so that lines add up to their totals.
        let cents = lines.reduce(0) { $0 + (means[$1][place] * 100).rounded() }
        return BroughtFigure(cents / 100, BroughtDraws.ends(drawn(lines, horizon)))
    }

    /// One sum for each draw.
    func drawn(_ lines: [Int], _ horizon: Horizon) -> [Double] {
        (0..<count).map { draw in
            lines.reduce(0) { $0 + Double(sums[draw * self.lines + $1][horizon.rawValue]) }
        }
    }

    func organicFigure(_ horizon: Horizon) -> BroughtFigure {
        let drawn = organic.map { $0[horizon.rawValue] }
        return BroughtFigure(drawn.reduce(0, +) / Double(count), BroughtDraws.ends(drawn))
    }

    /// The estimated revenue of all of the app's own installs up to a horizon.
    func storeFigure(_ horizon: Horizon) -> BroughtFigure {
        let drawn = organic.indices.map { draw in
            (0..<ownLines).reduce(organic[draw][horizon.rawValue]) {
                $0 + Double(sums[draw * lines + $1][horizon.rawValue])
            }
        }
        let mean = means.prefix(ownLines).reduce(organicFigure(horizon).estimate) { $0 + $1[horizon.rawValue] }
        return BroughtFigure(mean, BroughtDraws.ends(drawn))
    }

    private static var leftOut: Double { 0.02 }

    private static func ends(_ drawn: [Double]) -> (low: Double, high: Double) {
        let drawn = drawn.sorted()
        func end(_ share: Double) -> Double {
            let place = share * Double(drawn.count - 1)
            let below = Int(place)
            guard below + 1 < drawn.count else { return drawn.last ?? 0 }
            return drawn[below] + (drawn[below + 1] - drawn[below]) * (place - Double(below))
        }
        return (end(leftOut), end(1 - leftOut))
    }
}
