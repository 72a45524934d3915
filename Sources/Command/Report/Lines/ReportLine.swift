internal import SKANCore

/// How deep a line of the report stands.
package enum ReportLevel: Int, Comparable {
    case total, network, campaign, adSet

    package static func < (one: ReportLevel, other: ReportLevel) -> Bool { one.rawValue < other.rawValue }
}

/// A line of the report. A text that is not known is nil; an empty one is that of what has none.
struct ReportLine {
    let level: ReportLevel
    /// nil for the total.
    var network: [UInt8]?
    /// From campaigns on: "39", "campaign-id 42"; of an ad set as in the CSV, empty = not told.
    var identifier: [UInt8]?
    /// Of the campaign.
    var name: [UInt8]?
    /// Empty = not told.
    var adSet: [UInt8] = []
    var counts = LineCounts()
    /// What its installs brought; nil where that was not asked for.
    var brought: BroughtLine?
    /// Apart: most lines have none, and counts are large.
    private var paidCampaigns: PaidCampaigns?

    init(level: ReportLevel) { self.level = level }

    /// Of its campaigns that have a cost: what costs are compared with. A campaign's are its own.
    var paid: LineCounts {
        get { paidCampaigns?.counts ?? (level == .campaign && counts.cost != nil ? counts : LineCounts()) }
        set { paidCampaigns = PaidCampaigns(newValue) }
    }

    /// What the line is called: "39 Autumn", "com.example"; whether an ad set's identifier is told or not.
    var title: [UInt8] {
        let network = network.known ?? [UInt8]("no network".utf8)
        let told = identifier.known
        let title: [UInt8] =
            switch level {
            case .total: [UInt8]("all".utf8)
            case .network: network
            case .campaign: titled(told ?? [UInt8]("no campaign".utf8), name ?? [])
            case .adSet: told.map { titled($0, adSet) } ?? [UInt8]("ad set not told".utf8)
            }
        return [UInt8](title.prefix(ReportLine.titleBytes))
    }

    private static var titleBytes: Int { 511 }
}

private final class PaidCampaigns {
    let counts: LineCounts

    init(_ counts: LineCounts) { self.counts = counts }
}

extension [UInt8]? {
    /// nil also where it is empty.
    var known: [UInt8]? { self?.isEmpty == false ? self : nil }
}

private func titled(_ identifier: [UInt8], _ name: [UInt8]) -> [UInt8] {
    name.isEmpty ? identifier : identifier + [UInt8(ascii: " ")] + name
}
