/// The lines that have estimates, in the report's order, each with its campaign and network.
package struct EstimatedLines {
    /// For each line, in the report's order, the number under which its postbacks were counted.
    private(set) var numbers: [Int] = []
    /// The index of each line's campaign, by the line's number.
    private(set) var campaigns: [Int]
    /// The index of each campaign's network, by the campaign's index.
    private(set) var networks: [Int] = []

    /// At most `count` lines can be added, and their numbers must be below `count`.
    package init(count: Int) { campaigns = [Int](repeating: 0, count: count) }

    /// The lines of a campaign must be added one after the other, and so must the campaigns of a network.
    package mutating func add(number: Int, isOfNewCampaign: Bool, isOfNewNetwork: Bool) {
        if isOfNewCampaign { networks.append(networks.last.map { isOfNewNetwork ? $0 + 1 : $0 } ?? 0) }
        numbers.append(number)
        if campaigns.indices.contains(number) { campaigns[number] = networks.count - 1 }
    }

    var count: Int { numbers.count }

    /// For each campaign, the lines whose postbacks of windows 1 and 2 describe it. These postbacks carry neither
    /// country nor source app, so in a report by country or source app every line is described by all lines of its
    /// network. `isByCampaign`: whether the report is by campaign.
    func laterUnits(isByCampaign: Bool) -> [[Int]] {
        var units = [[Int]](repeating: [], count: networks.count)
        for (line, campaign) in campaigns.enumerated() { units[campaign].append(line) }
        guard !isByCampaign else { return units }
        var ofNetworks = [[Int]](repeating: [], count: (networks.last ?? -1) + 1)
        for (campaign, network) in networks.enumerated() { ofNetworks[network] += units[campaign] }
        return networks.map { ofNetworks[$0] }
    }
}
