package import SKANCore

/// A row of a campaigns' file: the names and the cost of an identifier. A text that the row does not give is empty.
package struct CampaignRow {
    package let network: [UInt8]
    package let identifier: CampaignIdentifier
    package let campaign: [UInt8]
    package let adSet: [UInt8]
    /// The cost of this row alone; the cost of a campaign is the sum over its rows. nil if the row has no cost.
    package var cost: Money?
    /// nil if the row names no currency.
    var currency: Currency?
    /// The row's line in the file, from 1.
    let line: UInt64
    var networkName: [UInt8] = []
    /// The day of the cost, in days since 1970; nil if the cost is for the whole time of the report.
    package var day: Int64?
    /// The App Store id of the app that the row applies to; nil if the row names none.
    package var app: Int64?

    func isOfSameCampaign(as other: CampaignRow) -> Bool {
        network == other.network && identifier.campaign == other.identifier.campaign
    }

    /// Whether this row sorts before another one: by network, campaign, identifier, app and line.
    func precedes(_ other: CampaignRow) -> Bool {
        if network != other.network { return network.lexicographicallyPrecedes(other.network) }
        let (campaign, otherCampaign) = (identifier.campaign, other.identifier.campaign)
        if campaign != otherCampaign { return campaign.lexicographicallyPrecedes(otherCampaign) }
        if identifier != other.identifier { return isBeforeByLength(identifier.text, other.identifier.text) }
        if app != other.app { return app ?? 0 < other.app ?? 0 }
        return line < other.line
    }
}
