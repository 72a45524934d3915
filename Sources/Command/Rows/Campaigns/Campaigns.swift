package import SKANCore

/// The names and costs of campaigns, from a CSV that the marketer keeps.
///
/// "39", "239" and "5239" are one campaign, which is named by any of the rows with the same last two digits. A
/// postback's ad set is named by the row whose identifier is the longest suffix of the postback's identifier.
package struct Campaigns {
    /// The rows, sorted by network, campaign, identifier, app and line.
    package private(set) var rows: [CampaignRow]
    /// The currency that all costs were converted to; nil before that, or if neither rows nor models name a currency.
    package private(set) var currency: Currency?
    /// The rates at which costs were converted.
    package private(set) var rates: [CostRate] = []
    private let networkNames: [[UInt8]: [UInt8]]
    private let hasApps: Bool

    package static var none: Campaigns { Campaigns([]) }

    init(_ rows: [CampaignRow]) {
        self.rows = rows.sorted { $0.precedes($1) }
        var names: [[UInt8]: [UInt8]] = [:]
        for row in rows where !row.networkName.isEmpty && names[row.network] == nil {
            names[row.network] = row.networkName
        }
        networkNames = names
        hasApps = rows.contains { $0.app != nil }
    }

    /// The name that the file gives the network; nil if it gives none.
    package func networkName(_ network: [UInt8]) -> [UInt8]? { networkNames[network] }

    mutating func takeCosts(_ costs: CostsInOneCurrency) {
        for place in rows.indices { rows[place].cost = costs.amounts[place] }
        currency = costs.currency
        rates = costs.rates
    }

    /// Returns only the rows of one app. `andShared`: whether to include rows that name no app.
    package func only(_ app: Int64, andShared: Bool) -> Campaigns {
        var own = self
        own.rows = rows.filter { $0.app == app || andShared && $0.app == nil }
        return own
    }

    /// The name that the file gives the ad set; nil if it gives none.
    func adSet(_ network: [UInt8], _ identifier: CampaignIdentifier, of app: Int64?) -> [UInt8]? {
        guard let place = place(network, identifier, of: app), !rows[place].adSet.isEmpty else { return nil }
        return rows[place].adSet
    }

    /// The index of the row whose identifier is the longest suffix of `identifier`; nil if there is none. Of two such
    /// rows, the one that names the app is preferred to the one that names no app.
    package func place(_ network: [UInt8], _ identifier: CampaignIdentifier, of app: Int64? = nil) -> Int? {
        guard !rows.isEmpty else { return nil }
        var end: CampaignIdentifier? = identifier
        while let sought = end {
            for app in app == nil ? [nil] : [app, nil] {
                let place = firstPlace(network, sought, app)
                guard place < rows.count, rows[place].app == app else { continue }
                if rows[place].network == network, rows[place].identifier == sought { return place }
            }
            end = sought.shorter
        }
        return nil
    }

    /// The campaign's name, from any of its rows; nil if none gives it. If `app` is nil and only rows for single apps
    /// name the campaign, the result lists all the names that these rows give.
    package func name(_ network: [UInt8], _ campaign: ArraySlice<UInt8>, of app: Int64? = nil) -> [UInt8]? {
        var names: [[UInt8]] = []
        var place = firstPlace(network, CampaignIdentifier(campaign), nil)
        while place < rows.count, rows[place].network == network, rows[place].identifier.campaign == campaign {
            let row = rows[place]
            if !row.campaign.isEmpty, app == nil || row.app == nil || row.app == app, !names.contains(row.campaign) {
                names.append(row.campaign)
                if !hasApps || row.app == app { return row.campaign }
            }
            place += 1
        }
        if app != nil { return names.first }
        return names.isEmpty ? nil : [UInt8](names.joined(separator: (" / " as StaticString).bytes))
    }

    /// The index of the first row that does not sort before a row with this network, identifier and app.
    private func firstPlace(_ network: [UInt8], _ identifier: CampaignIdentifier, _ app: Int64?) -> Int {
        let sought = CampaignRow(
            network: network, identifier: identifier, campaign: [], adSet: [], cost: nil, line: 0, app: app)
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = low + (high - low) / 2
            if rows[middle].precedes(sought) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
