import SKANCore
import SKANTruth

/// A line of the report. A text is nil if it is not known, and empty if there is none.
struct ReportLine {
    let level: ReportLevel
    var dimension = ReportDimension.campaign
    /// The network's id; nil for the total.
    var network: [UInt8]?
    /// The network's name in the campaigns' file.
    var networkName: [UInt8]?
    /// The identifier of a campaign or ad set: "39", "campaign-id 42". An ad set has the identifier in the campaigns'
    /// file, or an empty one if it is not known.
    var identifier: [UInt8]?
    /// The campaign's name.
    var name: [UInt8]?
    /// The ad set's name; empty if it has none or is not known.
    var adSet: [UInt8] = []
    var counts = LineCounts()
    /// The estimated revenue of the line's installs; nil if it was not asked for.
    var brought: BroughtLine?
    /// The counts that `paid` was set to; nil if it was not set. They are allocated separately, because counts are
    /// large, and most lines have none.
    private var paidCampaigns: PaidCampaigns?

    init(level: ReportLevel) { self.level = level }

    /// The summed counts of the line's campaigns that have a cost. The line's cost is compared with these counts. For a
    /// campaign that has a cost, they are the counts of the campaign itself.
    var paid: LineCounts {
        get { paidCampaigns?.counts ?? (level == .campaign && counts.cost != nil ? counts : LineCounts()) }
        set { paidCampaigns = PaidCampaigns(newValue) }
    }

    /// The title of the line: "Autumn (39)", "Example Ads (com.example)", or the id alone.
    var title: [UInt8] { title(columns: ReportLine.mostColumns * 2) }

    /// Returns the title, with the name shortened by an ellipsis if the title does not fit into `columns`.
    func title(columns: Int) -> [UInt8] {
        let (title, id) = titleParts
        guard let id else { return title }
        let left = min(max(columns - characters(id) - 4, 8), ReportLine.mostColumns)
        return shortened(title, left) + [UInt8](" (".utf8) + id + [UInt8](")".utf8)
    }

    /// The name and the id. Without a name, the id is the title.
    var titleParts: (title: [UInt8], id: [UInt8]?) {
        switch level {
        case .total: ([UInt8]("all".utf8), nil)
        case .network: titled(networkName, network.known ?? [UInt8]("no network".utf8))
        case .campaign: titled(name, identifier.known ?? [UInt8](dimension.untold.bytes))
        case .adSet: identifier.known.map { titled(adSet, $0) } ?? ([UInt8]("ad set not reported".utf8), nil)
        }
    }

    /// Whether the line is a campaign or an ad set that has non-winning postbacks and nothing else.
    var hasOnlyLost: Bool {
        guard level >= .campaign, counts.hasPostbacks, counts.cost == nil else { return false }
        return !Window.all.contains { counts[.installs, $0].winning + counts[.reengagements, $0].winning > 0 }
    }

    /// The network's name, or its id if it has no name.
    var networkTitle: [UInt8] {
        shortened(networkName.known ?? network.known ?? [UInt8]("no network".utf8), ReportLine.mostColumns)
    }

    /// The maximum width of a name or an id, in columns.
    fileprivate static var mostColumns: Int { 120 }
}

private final class PaidCampaigns {
    let counts: LineCounts

    init(_ counts: LineCounts) { self.counts = counts }
}

extension [UInt8]? {
    /// nil if the text is nil or empty.
    var known: [UInt8]? { self?.isEmpty == false ? self : nil }
}

private func titled(_ name: [UInt8]?, _ identifier: [UInt8]) -> (title: [UInt8], id: [UInt8]?) {
    let identifier = shortened(identifier, ReportLine.mostColumns)
    guard let name = name.known else { return (identifier, nil) }
    return (shortened(name, ReportLine.mostColumns), identifier)
}

/// Returns the text, cut to this many columns and followed by an ellipsis if it is longer.
func shortened(_ text: [UInt8], _ columns: Int) -> [UInt8] {
    guard characters(text) > columns else { return text }
    var left = columns
    let kept = text.prefix { byte in
        if byte & 0xC0 != 0x80 { left -= 1 }
        return left >= 0
    }
    return kept + [UInt8]("\u{2026}".utf8)
}

func characters(_ text: [UInt8]) -> Int { text.count { $0 & 0xC0 != 0x80 } }

/// The estimates for a line's installs.
struct BroughtLine {
    let figures: BroughtAnswers
    /// The probability that the line's return on ad spend reaches the target; nil if it is not known or there is no
    /// target.
    var targetChance: Double?
    /// The comparison with other campaigns; nil if there is none.
    var comparison: CampaignComparison?
    /// The numbers of values that windows 1 and 2 report, compared with the numbers that are expected.
    var later: [LaterCheck] = []
    /// The estimates by week of install; empty for campaigns and ad sets.
    var weeks: [BroughtSpan] = []
    /// The estimates by month of install; empty except for the total.
    var months: [BroughtSpan] = []

    init(answers: [BroughtAnswer], paid: [BroughtAnswer]) { figures = BroughtAnswers(all: answers, paid: paid) }

    subscript(horizon: Horizon) -> BroughtAnswer { figures[horizon] }

    func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        figures.returnOnAdSpend(horizon, cost)
    }
}
