internal import SKANCore

/// Weeks in which installs were made, beginning on Mondays, by network; campaigns whose costs have dates are counted
/// separately.
struct InstallWeeks {
    /// The networks, sorted; empty if there are too many: then the weeks are those of all networks together.
    private let networks: [[UInt8]]
    private let counted: CountedCosts
    private let first: Int64
    /// How many there are.
    let count: Int
    /// How many installs and redownloads each cell has, and what was spent.
    private(set) var installs: [UInt64]
    private(set) var costs: [Money?]

    private static var days: Int64 { 7 }
    /// The most cells, since memory holds the draws of each.
    private static var mostCells: Int { 1500 }
    /// The most weeks, the last ones; nothing before them is reported by week.
    private static var mostWeeks: Int64 { 520 }
    /// Costs of so many days before the first install, and after the last one, have weeks too.
    private static var mostDaysBeside: Int64 { 366 }

    init(_ lines: [TallyLine], _ values: [PostbackValueCount], _ costs: CountedCosts) {
        counted = costs
        let names = Set(lines.map { $0.network }).sorted { $0.lexicographicallyPrecedes($1) }
        if let days = InstallWeeks.span(values, costs) {
            let last = InstallWeeks.week(of: days.upperBound)
            first = max(InstallWeeks.week(of: days.lowerBound), last - InstallWeeks.mostWeeks + 1)
            count = Int(last - first) + 1
        } else {
            (first, count) = (0, 0)
        }
        networks = names.count * count * 2 <= InstallWeeks.mostCells ? names : []
        installs = [UInt64](repeating: 0, count: max(networks.count, 1) * count * 2)
        self.costs = [Money?](repeating: nil, count: installs.count)
        for row in costs.rows {
            guard let cost = row.cost, let day = row.day else { continue }
            guard let cell = cell(row.network, row.identifier.campaign, day: day) else { continue }
            _ = self.costs[cell].take(in: cost)
        }
    }

    /// The days of installs, and of costs that are not too far from them, whatever the order of rows. It is nil if
    /// there is no install.
    private static func span(_ values: [PostbackValueCount], _ costs: CountedCosts) -> ClosedRange<Int64>? {
        guard let first = values.map({ $0.key.day }).min(), let last = values.map({ $0.key.day }).max() else {
            return nil
        }
        let ofCosts = costs.rows.filter { $0.cost != nil }.compactMap { $0.day }
            .filter { (first - mostDaysBeside...last + mostDaysBeside).contains($0) }
        return min(first, ofCosts.min() ?? first)...max(last, ofCosts.max() ?? last)
    }

    /// Monday is the first day.
    private static func week(of day: Int64) -> Int64 {
        let (weeks, rest) = (day + 3).quotientAndRemainder(dividingBy: InstallWeeks.days)
        return rest < 0 ? weeks - 1 : weeks
    }

    /// Unix seconds.
    func start(_ week: Int) -> Int64 { ((first + Int64(week)) * InstallWeeks.days - 3) * Day.seconds }

    var cells: Int { installs.count }
    /// The place of a network; nil if its weeks are not reported separately.
    func place(ofNetwork network: [UInt8]) -> Int? { networks.firstIndex(of: network) }
    var networkCount: Int { max(networks.count, 1) }

    /// The cells of a network's week: all, and that of campaigns with dated costs.
    func cells(_ network: Int, _ week: Int) -> (all: [Int], paid: Int) {
        let cell = (network * count + week) * 2
        return ([cell, cell + 1], cell + 1)
    }

    /// nil where the day is before the first week or after the last.
    func cell(_ network: [UInt8], _ campaign: ArraySlice<UInt8>, day: Int64) -> Int? {
        let week = InstallWeeks.week(of: day) - first
        guard (0..<Int64(count)).contains(week) else { return nil }
        guard let place = networks.isEmpty ? 0 : networks.firstIndex(of: network) else { return nil }
        return (place * count + Int(week)) * 2 + (counted.areDated(network, campaign) ? 1 : 0)
    }

    mutating func add(_ count: UInt64, cell: Int) { installs[cell] += count }
}
