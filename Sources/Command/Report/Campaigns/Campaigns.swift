internal import SKANCore

/// The names and costs of campaigns, from a CSV that the marketer keeps.
///
/// "39", "239" and "5239" are one campaign, named by any of the rows with the same last two digits. The ad set is named
/// by the row with the longest suffix of the postback's identifier.
package struct Campaigns {
    /// The rows, ordered by network, then by the identifier read from its end.
    private(set) var rows: [CampaignRow]
    /// The currency of the costs, once they are in one currency; nil if none is given.
    private(set) var currency: Currency?
    /// The rates that costs were converted by.
    private(set) var rates: [CostRate] = []
    private let networkNames: [[UInt8]: [UInt8]]

    package static var none: Campaigns { Campaigns([]) }

    init(_ rows: [CampaignRow]) {
        self.rows = rows.sorted { $0.precedes($1) }
        var names: [[UInt8]: [UInt8]] = [:]
        for row in rows where !row.networkName.isEmpty && names[row.network] == nil {
            names[row.network] = row.networkName
        }
        networkNames = names
    }

    /// The network's name; nil if none is given.
    func networkName(_ network: [UInt8]) -> [UInt8]? { networkNames[network] }

    /// Replaces the cost of each row by the converted one.
    mutating func takeCosts(_ costs: CostsInOneCurrency) {
        for place in rows.indices { rows[place].cost = costs.amounts[place] }
        currency = costs.currency
        rates = costs.rates
    }

    /// The ad set's name; nil if none is given.
    func adSet(_ network: [UInt8], _ identifier: CampaignIdentifier) -> [UInt8]? {
        guard let place = place(network, identifier), !rows[place].adSet.isEmpty else { return nil }
        return rows[place].adSet
    }

    /// The index of the row with the longest suffix of the identifier.
    func place(_ network: [UInt8], _ identifier: CampaignIdentifier) -> Int? {
        guard !rows.isEmpty else { return nil }
        var end: CampaignIdentifier? = identifier
        while let sought = end {
            let place = firstPlace(network, sought)
            if place < rows.count, rows[place].network == network, rows[place].identifier == sought { return place }
            end = sought.shorter
        }
        return nil
    }

    /// The campaign's name, from any of its rows; nil if none has it.
    func name(_ network: [UInt8], _ campaign: ArraySlice<UInt8>) -> [UInt8]? {
        var place = firstPlace(network, CampaignIdentifier(campaign))
        while place < rows.count, rows[place].network == network, rows[place].identifier.campaign == campaign {
            if !rows[place].campaign.isEmpty { return rows[place].campaign }
            place += 1
        }
        return nil
    }

    /// The index of the first row that does not sort before this network and identifier.
    private func firstPlace(_ network: [UInt8], _ identifier: CampaignIdentifier) -> Int {
        let sought = CampaignRow(network: network, identifier: identifier, campaign: [], adSet: [], cost: nil, line: 0)
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = low + (high - low) / 2
            if rows[middle].precedes(sought) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
