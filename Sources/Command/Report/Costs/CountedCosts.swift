import SKANCommandRows
import SKANCore

/// The costs that a report counts, which are those of its network and period. Costs of other periods are summed
/// separately.
struct CountedCosts {
    /// The rows of the report's network. The cost of each row is only the part that is counted; nil if no part is
    /// counted.
    private(set) var rows: [CampaignRow] = []
    /// The sum of all counted costs.
    private(set) var counted: Money?
    /// The sum of costs without a date, which are counted in full.
    private(set) var withoutDate: Money?
    /// The sum of counted costs of rows that name no app.
    private(set) var withoutApp: Money?
    /// The sum of costs of days whose installs' postbacks arrived before or after the period that the report covers.
    private(set) var outside: Money?
    /// The sum of costs of days whose installs' postbacks had not arrived when the report was made.
    private(set) var unreported: Money?
    /// Whether the file of campaigns has costs that the report leaves out because its lines are not campaigns.
    private(set) var areOfCampaignsAlone = false
    /// Whether a sum exceeded `Money.mostReported`.
    private(set) var isFull = false
    /// The campaigns whose costs all have dates.
    private var dated: Set<CampaignKey> = []

    private struct CampaignKey: Hashable {
        let network: [UInt8]
        let campaign: [UInt8]
    }

    static var none: CountedCosts { CountedCosts(.none) }

    /// `madeAt`: the time at which the report is made, in Unix seconds.
    init(
        _ campaigns: Campaigns, _ filter: ReportFilter = ReportFilter(), madeAt: Int64 = .max,
        by dimension: ReportDimension = .campaign
    ) {
        guard dimension == .campaign else {
            areOfCampaignsAlone = campaigns.rows.contains { $0.cost != nil }
            return
        }
        var undated: Set<CampaignKey> = []
        for var row in campaigns.rows where filter.network == nil || row.network == filter.network {
            if let cost = row.cost {
                let key = CampaignKey(network: row.network, campaign: [UInt8](row.identifier.campaign))
                if row.day == nil { undated.insert(key) } else { dated.insert(key) }
                row.cost = count(cost, of: row, filter, madeAt)
                if row.app == nil, let counted = row.cost { isFull = !withoutApp.take(in: counted) || isFull }
            }
            rows.append(row)
        }
        dated.subtract(undated)
    }

    /// Whether all costs of a campaign have dates, so that they can be assigned to weeks of install.
    func areDated(_ network: [UInt8], _ campaign: ArraySlice<UInt8>) -> Bool {
        dated.contains(CampaignKey(network: network, campaign: [UInt8](campaign)))
    }

    private mutating func count(_ cost: Money, of row: CampaignRow, _ filter: ReportFilter, _ madeAt: Int64) -> Money? {
        guard let day = row.day else {
            isFull = !withoutDate.take(in: cost) || isFull
            isFull = !counted.take(in: cost) || isFull
            return cost
        }
        let part = ReportedPart(day: day, isBeforeSKAN4: row.identifier.isBeforeSKAN4, filter, madeAt: madeAt)
        let divided = part.divided(cost)
        if part.outside > 0 { isFull = !outside.take(in: divided.outside) || isFull }
        if part.unreported > 0 { isFull = !unreported.take(in: divided.unreported) || isFull }
        guard part.counted > 0 else { return nil }
        isFull = !counted.take(in: divided.counted) || isFull
        return divided.counted
    }
}
