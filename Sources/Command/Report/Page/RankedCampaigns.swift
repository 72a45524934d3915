import SKANCommandRows
import SKANCore
import SKANTruth

/// A campaign on the page, with the index of its network among the report's networks.
struct NumberedLine {
    let line: ReportLine
    let network: Int
}

extension Report {
    /// The maximum number of campaigns in the first tables, which show the largest ones. The tables of all figures have
    /// all campaigns.
    private static var mostCampaigns: Int { 200 }

    /// The campaigns with installs or costs, those with the best return or revenue per install first. Campaigns for
    /// which it is not known come last.
    var rankedCampaigns: [ReportLine] { numberedCampaigns.map { $0.line } }

    var numberedCampaigns: [NumberedLine] {
        var network = -1
        var found: [NumberedLine] = []
        for line in lines {
            if line.level == .network { network += 1 }
            guard line.isShownFirst else { continue }
            found.append(NumberedLine(line: line, network: network))
        }
        found = Report.largest(found)
        let ranks = found.map { each in measure?.figure(each.line, shownHorizon)?.estimate ?? -.infinity }
        return found.indices.sorted { (ranks[$0], $1) > (ranks[$1], $0) }.map { found[$0] }
    }

    /// Returns at most `mostCampaigns`, those with most installs first.
    private static func largest(_ found: [NumberedLine]) -> [NumberedLine] {
        let sizes = found.map { $0.line.counts.installsWithRedownloads }
        let sorted = found.indices.sorted { (sizes[$0], $1) > (sizes[$1], $0) }
        return sorted.prefix(mostCampaigns).map { found[$0] }
    }

    /// The sentence about campaigns that are left out of the first tables; empty if there are none.
    var leftOfCampaigns: HTML {
        let count = lines.count { $0.isShownFirst }
        guard count > Report.mostCampaigns else { return "" }
        return
            "<p>The \(Report.mostCampaigns) largest of \(count.readable); all are in the tables of all figures.</p>\n"
    }
}

extension ReportLine {
    /// Whether the line is a campaign with installs or costs. Other campaigns have, for example, only non-winning
    /// postbacks, or only re-engagements.
    fileprivate var isShownFirst: Bool {
        level == .campaign && (counts.installsWithRedownloads > 0 || counts.cost != nil)
    }
}
