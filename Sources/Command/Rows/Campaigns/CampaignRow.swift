package import SKANCore

/// A row of a campaigns' file: what a marketer says of an identifier. Texts that are not given are empty.
package struct CampaignRow {
    package let network: [UInt8]
    package let identifier: CampaignIdentifier
    package let campaign: [UInt8]
    package let adSet: [UInt8]
    /// The cost of this row alone: a campaign costs what its rows cost together.
    package var cost: Money?
    /// The currency of the cost; nil where the row names none.
    var currency: Currency?
    /// The row's line in the file, from 1.
    let line: UInt64
    /// What the network is called.
    var networkName: [UInt8] = []
    /// The day of its cost, since 1970; nil where the row is of all the time that the report is about.
    package var day: Int64?

    func isOfSameCampaign(as other: CampaignRow) -> Bool {
        network == other.network && identifier.campaign == other.identifier.campaign
    }

    /// Orders rows by network, then by the identifier read from its end, then by line.
    func precedes(_ other: CampaignRow) -> Bool {
        if network != other.network { return network.lexicographicallyPrecedes(other.network) }
        let (campaign, otherCampaign) = (identifier.campaign, other.identifier.campaign)
        if campaign != otherCampaign { return campaign.lexicographicallyPrecedes(otherCampaign) }
        if identifier != other.identifier { return isBeforeByLength(identifier.text, other.identifier.text) }
        return line < other.line
    }
}
