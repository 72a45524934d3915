import SKANCommandRows
import SKANCore

/// The lines of a tally, indexed by network, campaign and ad set.
struct TallyIndex {
    var lines: [TallyLine] = []
    private var places: [TallyKey: Int] = [:]
    private let dimension: ReportDimension

    init(_ dimension: ReportDimension) { self.dimension = dimension }

    /// Returns the index of the line that counts a postback, and adds the line if it is new.
    mutating func line(of observed: borrowing ObservedPostback, _ campaigns: Campaigns) -> Int {
        let network = observed.network ?? []
        switch dimension {
        case .campaign: break
        case .country: return line(network, observed.country[...], campaigns, row: nil)
        case .sourceApp: return line(network, observed.sourceApp[...], campaigns, row: nil)
        }
        let row = campaigns.place(network, observed.identifier, of: observed.app)
        return line(network, observed.identifier.campaign, campaigns, row: row)
    }

    /// Returns the index of a line, and adds the line if it is new. `row`: the index of the ad set's row in the
    /// campaigns' file; nil if there is none.
    mutating func line(
        _ network: [UInt8], _ campaign: ArraySlice<UInt8>, _ campaigns: Campaigns, row: Int?
    ) -> Int {
        if let place = places[TallyKey(network: network, campaign: campaign, row: row)] { return place }
        // A copy, so that the key does not keep a larger buffer alive.
        let campaign = [UInt8](campaign)[...]
        places[TallyKey(network: network, campaign: campaign, row: row)] = lines.count
        let row = row.map { campaigns.rows[$0] }
        lines.append(TallyLine(network: network, campaign: campaign, row: row, number: lines.count))
        return lines.count - 1
    }

    /// Sorts the lines. Do not look up lines afterwards.
    mutating func end() {
        places = [:]
        lines.sort { $0.precedes($1) }
    }
}

private struct TallyKey: Hashable {
    let network: [UInt8]
    let campaign: ArraySlice<UInt8>
    let row: Int?
}

/// A line of the tally: a campaign of an ad network, or an ad set that a row of the campaigns' file describes.
struct TallyLine {
    /// The network's id; empty if the postback names no network.
    let network: [UInt8]
    /// The campaign's identifier, or the country or source app; empty if the postback names none.
    let campaign: ArraySlice<UInt8>
    /// The ad set's row in the campaigns' file; nil if the ad set is not known.
    let row: CampaignRow?
    /// The line's number in the order in which lines were added, from 0. It stays the same when lines are sorted.
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
