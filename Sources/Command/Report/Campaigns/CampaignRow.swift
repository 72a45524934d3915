internal import SKANCore

/// What a marketer tells of an identifier. Texts that are not told are empty.
struct CampaignRow {
    let network: [UInt8]
    let identifier: CampaignIdentifier
    let campaign: [UInt8]
    let adSet: [UInt8]
    /// Its own: a campaign costs what its rows cost together.
    let cost: Money?
    /// Of the file, from 1.
    let line: UInt64

    func isOfSameCampaign(as other: CampaignRow) -> Bool {
        network == other.network && identifier.campaign == other.identifier.campaign
    }
}
