internal import SKANCore

/// What is counted apart: an ad network's campaign, and of it the ad set that a campaigns' file has a row for.
struct TallyLine {
    /// Empty = none.
    let network: [UInt8]
    /// Empty = none.
    let campaign: ArraySlice<UInt8>
    /// Of the ad set; nil = not told.
    let row: CampaignRow?
    var counts = LineCounts()

    func isOfSameCampaign(as other: TallyLine) -> Bool { network == other.network && campaign == other.campaign }
}
