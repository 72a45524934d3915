import SKANCommandRows
import SKANCore

/// Installs and costs by network and week of install. Weeks begin on Mondays. Each network and week has two cells: one
/// for campaigns whose costs have dates, and one for all other campaigns.
struct InstallWeeks {
    /// The networks, sorted. Empty if there are too many; weeks are then counted for all networks together.
    private let networks: [[UInt8]]
    private let counted: CountedCosts
    private let first: Int64
    /// The number of weeks.
    let count: Int
    /// The number of installs and redownloads in each cell.
    private(set) var installs: [UInt64]
    /// The cost in each cell; nil for a cell without costs.
    private(set) var costs: [Money?]

    /// The maximum number of cells. It limits the memory for the random draws of each cell.
    private static var mostCells: Int { 1500 }
    /// The maximum number of weeks. If there are more, only the latest are reported.
    private static var mostWeeks: Int64 { 520 }
    /// The maximum number of days by which costs extend the weeks, before the first install and after the last one.
    private static var mostDaysBeside: Int64 { 366 }

    /// `days`: the days from the first install to the last, in days since 1970; nil without installs.
    init(_ lines: [TallyLine], _ days: ClosedRange<Int64>?, _ costs: CountedCosts) {
        counted = costs
        let names = Set(lines.map { $0.network }).sorted { $0.lexicographicallyPrecedes($1) }
        if let days = days.map({ InstallWeeks.span($0, costs) }) {
            let last = CalendarWeek.number(ofDay: days.upperBound)
            first = max(CalendarWeek.number(ofDay: days.lowerBound), last - InstallWeeks.mostWeeks + 1)
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

    /// Returns the range of days that covers all installs, and all costs that are not too far from these.
    private static func span(_ days: ClosedRange<Int64>, _ costs: CountedCosts) -> ClosedRange<Int64> {
        let (first, last) = (days.lowerBound, days.upperBound)
        let ofCosts = costs.rows.filter { $0.cost != nil }.compactMap { $0.day }
            .filter { (first - mostDaysBeside...last + mostDaysBeside).contains($0) }
        return min(first, ofCosts.min() ?? first)...max(last, ofCosts.max() ?? last)
    }

    /// Returns the start of the week with this index, in Unix seconds.
    func start(_ week: Int) -> Int64 { CalendarWeek.start(first + Int64(week)) }

    var cells: Int { installs.count }
    /// Returns the index of a network; nil if its weeks are not reported separately.
    func place(ofNetwork network: [UInt8]) -> Int? { networks.firstIndex(of: network) }
    var networkCount: Int { max(networks.count, 1) }

    /// Returns the indices of the cells of a network's week. `all`: both cells. `paid`: the cell of campaigns whose
    /// costs have dates.
    func cells(_ network: Int, _ week: Int) -> (all: [Int], paid: Int) {
        let cell = (network * count + week) * 2
        return ([cell, cell + 1], cell + 1)
    }

    /// Counts the installs of a line on a day. Returns the index of the cell that counts them; nil if there is none.
    mutating func add(_ installs: UInt64, of line: TallyLine, day: Int64) -> Int? {
        guard let cell = cell(line.network, line.campaign, day: day) else { return nil }
        self.installs[cell] += installs
        return cell
    }

    /// Returns the index of the cell that counts an install; nil if the day is before the first week or after the last.
    private func cell(_ network: [UInt8], _ campaign: ArraySlice<UInt8>, day: Int64) -> Int? {
        let week = CalendarWeek.number(ofDay: day) - first
        guard (0..<Int64(count)).contains(week) else { return nil }
        guard let place = networks.isEmpty ? 0 : networks.firstIndex(of: network) else { return nil }
        return (place * count + Int(week)) * 2 + (counted.areDated(network, campaign) ? 1 : 0)
    }
}
