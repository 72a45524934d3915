internal import SKANCore

extension Report {
    /// What is not in the figures, and why.
    var reasons: HTML {
        var lists = CountedReasons("Kept apart and not counted", tally.apart.reasons).html
        if hasRevenue {
            lists += CountedReasons("Values without known revenue", tally[values: .installs].unpriced.reasons).html
        }
        if hasRevenue && hasReengagements {
            let unpriced = tally[values: .reengagements].unpriced
            lists += CountedReasons("Re-engagements’ values without known revenue", unpriced.reasons).html
        }
        return "<ul>\n\(lists)</ul>\n"
    }
}

/// A sum, and what it is made of.
private struct CountedReasons {
    typealias Reason = (what: StaticString, count: UInt64)

    private let what: StaticString
    private let reasons: [Reason]

    init(_ what: StaticString, _ reasons: [Reason]) {
        self.what = what
        self.reasons = reasons
    }

    var html: HTML {
        let sum = reasons.reduce(0) { $0 &+ $1.count }
        guard sum > 0 else { return "<li>\(what): 0</li>\n" }
        let parts = HTML.each(reasons) { $0.count > 0 ? "<li>\($0.what): \($0.count)</li>\n" : "" }
        return "<li>\(what): \(sum)\n<ul>\n\(parts)</ul></li>\n"
    }
}

extension ApartCounts {
    fileprivate var reasons: [CountedReasons.Reason] {
        [
            ("The signature does not fit", invalid),
            ("Of a version, or signed with a key, that is not known", unverifiable),
            ("Signed with a development key", development),
            ("Malformed", malformed),
            ("Copies with other values than the first", conflicts),
            ("Of another ad network than their sender", otherNetwork),
        ]
    }
}

extension UnpricedCounts {
    fileprivate var reasons: [CountedReasons.Reason] {
        [
            ("Received without models for them", notDecoded),
            ("No rule of the model has the value", undecodable),
            ("The model changed while the install or re-engagement may have happened", ambiguous),
            ("The install or re-engagement is older than the first model", noModel),
            ("The model was not given to this report", modelMissing),
            ("The model does not speak of revenue in the window", noRevenue),
            ("Revenue since the install, in window 1 or 2", cumulative),
        ]
    }
}
