internal import SKANCore

extension Report {
    /// What is not in the figures, and why.
    var reasons: HTML {
        var lists = list("Kept apart and not counted", tally.apart.reasons)
        if hasRevenue { lists += list("Values without known revenue", tally[values: .installs].unpriced.reasons) }
        if hasRevenue && hasReengagements {
            let unpriced = tally[values: .reengagements].unpriced
            lists += list("Re-engagements’ values without known revenue", unpriced.reasons)
        }
        return "<ul>\n\(lists)</ul>\n"
    }
}

/// A sum, and what it is made of.
private func list(_ what: StaticString, _ reasons: [CountedReason]) -> HTML {
    guard reasons.sum > 0 else { return "<li>\(what): 0</li>\n" }
    let parts = HTML.each(reasons) { $0.count > 0 ? "<li>\($0.sentence): \($0.count)</li>\n" : "" }
    return "<li>\(what): \(reasons.sum)\n<ul>\n\(parts)</ul></li>\n"
}
