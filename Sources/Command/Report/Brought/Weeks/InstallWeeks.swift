internal import SKANCore

/// Weeks in which installs were made, beginning on Mondays, by network; campaigns whose costs have dates are counted
/// separately.
struct InstallWeeks {
    /// The networks, sorted; empty if there are too many: then the weeks are those of all networks together.
    private let networks: [[UInt8]]
    private let dated: Set<CampaignKey>
    private let first: Int64
    /// How many there are.
    let count: Int
    /// How many installs and redownloads each cell has, and what was spent.
    private(set) var installs: [UInt64]
    private(set) var costs: [Money?]

    private struct CampaignKey: Hashable {
        let network: [UInt8]
        let campaign: [UInt8]
    }

    private static var days: Int64 { 7 }
    /// The most cells, since memory holds the draws of each.
    private static var mostCells: Int { 1500 }
    /// The most weeks; nothing before or after them is reported by week.
    private static var mostWeeks: Int64 { 520 }

    init(_ lines: [TallyLine], _ values: [PostbackValueCount], _ campaigns: Campaigns) {
        var days = values.reduce(into: (first: Int64.max, last: Int64.min)) { days, value in
            days = (min(days.first, value.key.day), max(days.last, value.key.day))
        }
        var dated: Set<CampaignKey> = []
        for row in campaigns.rows {
            guard row.cost != nil, let day = row.day, days.last >= days.first else { continue }
            dated.insert(CampaignKey(network: row.network, campaign: [UInt8](row.identifier.campaign)))
            if (day - days.first).magnitude < 366 { days = (min(days.first, day), max(days.last, day)) }
        }
        self.dated = dated
        let names = Set(lines.map { $0.network }).sorted { $0.lexicographicallyPrecedes($1) }
        let hasDays = days.last >= days.first
        first = hasDays ? InstallWeeks.week(of: days.first) : 0
        count = hasDays ? Int(min(InstallWeeks.week(of: days.last) - first + 1, InstallWeeks.mostWeeks)) : 0
        networks = names.count * count * 2 <= InstallWeeks.mostCells ? names : []
        installs = [UInt64](repeating: 0, count: max(networks.count, 1) * count * 2)
        costs = [Money?](repeating: nil, count: installs.count)
        for row in campaigns.rows {
            guard let cost = row.cost, let day = row.day else { continue }
            let cell = cell(row.network, row.identifier.campaign, day: day, isWithin: true)
            guard let cell else { continue }
            var sum = costs[cell] ?? .zero
            if sum.take(in: cost) { costs[cell] = sum }
        }
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
    func cell(_ network: [UInt8], _ campaign: ArraySlice<UInt8>, day: Int64, isWithin: Bool = false) -> Int? {
        guard count > 0 else { return nil }
        let week = InstallWeeks.week(of: day) - first
        if isWithin, !(0..<Int64(count)).contains(week) { return nil }
        let place = networks.isEmpty ? 0 : networks.firstIndex(of: network)
        guard let place else { return nil }
        let isDated = dated.contains(CampaignKey(network: network, campaign: [UInt8](campaign)))
        return (place * count + Int(min(max(week, 0), Int64(count) - 1))) * 2 + (isDated ? 1 : 0)
    }

    mutating func add(_ count: UInt64, cell: Int) { installs[cell] &+= count }
}
