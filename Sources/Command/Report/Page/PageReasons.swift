import SKANCommandRows
import SKANCore

extension Report {
    /// The list of what the figures leave out, and why.
    var reasons: HTML {
        var lists = list("Refused and not counted", tally.refused.reasons)
        if hasRevenue { lists += list("Values without known revenue", tally[values: .installs].unpriced.reasons) }
        if hasRevenue && hasReengagements {
            let unpriced = tally[values: .reengagements].unpriced
            lists += list("Re-engagements’ values without known revenue", unpriced.reasons)
        }
        return "<ul>\n\(lists)\(unmatchedCampaigns)</ul>\n"
    }
}

extension Report {
    private var unmatchedCampaigns: HTML {
        let campaigns = UnmatchedCampaigns(lines)
        guard campaigns.count > 0 else { return "" }
        let titles = HTML.each(campaigns.titles) { "<li><bdi>\($0)</bdi></li>\n" }
        let more: HTML = campaigns.more.map { "<li>\($0)</li>\n" } ?? ""
        return "<li>\(UnmatchedCampaigns.what): \(campaigns.count.readable)\n<ul>\n\(titles)\(more)</ul></li>\n"
    }
}

/// Returns a list item with the sum of the reasons' counts, and below it each count.
private func list(_ what: StaticString, _ reasons: [CountedReason]) -> HTML {
    guard reasons.sum > 0 else { return "<li>\(what): 0</li>\n" }
    let parts = HTML.each(reasons) { $0.count > 0 ? "<li>\($0.sentence): \($0.count.readable)</li>\n" : "" }
    return "<li>\(what): \(reasons.sum.readable)\n<ul>\n\(parts)</ul></li>\n"
}
