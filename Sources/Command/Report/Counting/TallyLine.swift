internal import SKANCore

/// One line of the report: an ad network's campaign, or the ad set of it that a row of the campaigns' file describes.
struct TallyLine {
    /// Empty = none.
    let network: [UInt8]
    /// Empty = none.
    let campaign: ArraySlice<UInt8>
    /// The ad set's row; nil if it is not known.
    let row: CampaignRow?
    /// The line's number, in the order in which lines were met.
    let number: Int
    var counts = LineCounts()

    func isOfSameCampaign(as other: TallyLine) -> Bool { network == other.network && campaign == other.campaign }

    /// Orders lines by network, campaign and ad set; an unknown ad set comes first.
    func precedes(_ other: TallyLine) -> Bool {
        if network != other.network { return network.lexicographicallyPrecedes(other.network) }
        if campaign != other.campaign { return isBeforeByLength(campaign, other.campaign) }
        guard let row, let otherRow = other.row else { return row == nil && other.row != nil }
        return isBeforeByLength(row.identifier.text, otherRow.identifier.text)
    }
}
