internal import SKANCore
internal import SKANTruth

/// A line of the report. A text that is not known is nil; an empty one is that of what has none.
struct ReportLine {
    let level: ReportLevel
    /// What it is of, below a network.
    var dimension = ReportDimension.campaign
    /// nil for the total.
    var network: [UInt8]?
    /// What the network is called, by the campaigns' file.
    var networkName: [UInt8]?
    /// The identifier, from campaigns on: "39", "campaign-id 42"; an ad set's is as in the CSV, empty if it is not
    /// known.
    var identifier: [UInt8]?
    /// The campaign's name.
    var name: [UInt8]?
    /// The ad set; empty = not reported.
    var adSet: [UInt8] = []
    var counts = LineCounts()
    /// What its installs brought; nil where that was not asked for.
    var brought: BroughtLine?
    /// Apart: most lines have none, and counts are large.
    private var paidCampaigns: PaidCampaigns?

    init(level: ReportLevel) { self.level = level }

    /// The counts of its campaigns that have a cost, with which costs are compared. A campaign's are its own.
    var paid: LineCounts {
        get { paidCampaigns?.counts ?? (level == .campaign && counts.cost != nil ? counts : LineCounts()) }
        set { paidCampaigns = PaidCampaigns(newValue) }
    }

    /// What the line is called, its name before its id: "Autumn (39)", "Example Ads (com.example)", or the id alone.
    var title: [UInt8] { title(columns: ReportLine.mostColumns * 2) }

    /// The same, whose name ends in an ellipsis where it needs more columns.
    func title(columns: Int) -> [UInt8] {
        switch level {
        case .total: [UInt8]("all".utf8)
        case .network: titled(networkName, network.known ?? [UInt8]("no network".utf8), columns)
        case .campaign: titled(name, identifier.known ?? [UInt8](dimension.untold.bytes), columns)
        case .adSet: identifier.known.map { titled(adSet, $0, columns) } ?? [UInt8]("ad set not reported".utf8)
        }
    }

    /// What its network is called, or else its id.
    var networkTitle: [UInt8] {
        shortened(networkName.known ?? network.known ?? [UInt8]("no network".utf8), ReportLine.mostColumns)
    }

    /// The greatest width of a name or an id, in columns.
    fileprivate static var mostColumns: Int { 120 }
}

private final class PaidCampaigns {
    let counts: LineCounts

    init(_ counts: LineCounts) { self.counts = counts }
}

extension [UInt8]? {
    /// nil also where it is empty.
    var known: [UInt8]? { self?.isEmpty == false ? self : nil }
}

private func titled(_ name: [UInt8]?, _ identifier: [UInt8], _ columns: Int) -> [UInt8] {
    let identifier = shortened(identifier, ReportLine.mostColumns)
    guard let name = name.known else { return identifier }
    let left = min(max(columns - characters(identifier) - 4, 8), ReportLine.mostColumns)
    return shortened(name, left) + [UInt8](" (".utf8) + identifier + [UInt8](")".utf8)
}

/// The text; if it needs more columns, as many of them and an ellipsis.
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

/// The estimates for a line's installs, beside what was counted.
struct BroughtLine {
    let figures: BroughtAnswers
    /// How likely its return on ad spend reaches the report's target; nil where that is not known, or not asked.
    var targetChance: Double?
    /// The comparison with other campaigns; nil where there was none.
    var comparison: CampaignComparison?
    /// The values of windows 1 and 2, beside what was to be expected.
    var later: [LaterCheck] = []
    /// The estimates by week of install, for all lines or for a network.
    var weeks: [BroughtWeek] = []

    init(answers: [BroughtAnswer], paid: [BroughtAnswer]) { figures = BroughtAnswers(all: answers, paid: paid) }

    subscript(horizon: Horizon) -> BroughtAnswer { figures[horizon] }

    func returnOnAdSpend(_ horizon: Horizon, _ cost: Money?) -> BroughtFigure? {
        figures.returnOnAdSpend(horizon, cost)
    }
}
