import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// Sentences that say what cannot be estimated, why, and how many more installs an estimate would take.
extension Report {
    /// Returns sentences about horizons for which the total has no estimate and, if `deepest` includes campaigns, about
    /// campaigns that lack an estimate that the total has. `deepest`: the deepest level of lines that is shown.
    func estimateGaps(_ deepest: ReportLevel) -> [Message] {
        var sentences: [Message] = []
        for reason in NoEstimate.allCases {
            let gap = EstimateGap(total, horizons) { why, _ in why == reason }
            guard !gap.horizons.isEmpty else { continue }
            let needed: Message =
                gap.needed.map { " It would take about \($0.readable) more own installs with these values." } ?? ""
            sentences.append("No revenue can be estimated\(words(gap.horizons)): \(reason.sentence).\(needed)")
        }
        return deepest < .campaign ? sentences : sentences + campaignGaps
    }

    /// Returns horizons in words: " until day 2 and to date"; empty if they are all the horizons that are shown.
    private func words(_ horizons: [Horizon]) -> Message {
        horizons.count < self.horizons.count ? horizonWords(horizons) : ""
    }

    private var campaignGaps: [Message] {
        var sentences: [Message] = []
        for reason in NoEstimate.allCases {
            var gaps: [(horizons: [Horizon], titles: [Message])] = []
            for line in lines where line.level == .campaign && line.counts.hasPostbacks && !line.hasOnlyLost {
                let gap = EstimateGap(line, horizons) { $0 == reason && total.brought?[$1].whyNot == nil }
                guard !gap.horizons.isEmpty else { continue }
                let needed: Message = gap.needed.map { ": about \($0.readable) more" } ?? ""
                let title: Message = "\(line.titleWithNetwork)\(needed)"
                if let place = gaps.firstIndex(where: { $0.horizons == gap.horizons }) {
                    gaps[place].titles.append(title)
                } else {
                    gaps.append((gap.horizons, [title]))
                }
            }
            for gap in gaps { sentences.append(sentence(reason, words(gap.horizons), gap.titles)) }
        }
        return sentences
    }
}

/// Returns the sentence "No revenue can be estimated until day 35 for 2 campaigns, because ...".
private func sentence(_ reason: NoEstimate, _ until: Message, _ titles: [Message]) -> Message {
    let count = UInt64(titles.count)
    let what: Message = """
        No revenue can be estimated\(until) for \(count.readable) campaign\(plural(count))
        """
    let named = namedTitles(titles)
    guard reason == .tooFewInstalls else { return "\(what), because \(reason.sentence): \(named)." }
    return """
        \(what): \(reason.sentence). This is how many more own installs with these values it would take: \(named).
        """
}

/// The horizons for which a line has no estimate.
private struct EstimateGap {
    var horizons: [Horizon] = []
    /// The largest number of further installs that an estimate for one of these horizons needs; nil if it is not known.
    var needed: UInt64?

    init(_ line: ReportLine, _ shown: [Horizon], _ isMeant: (NoEstimate, Horizon) -> Bool) {
        for horizon in shown {
            guard let answer = line.brought?[horizon], let reason = answer.whyNot, isMeant(reason, horizon) else {
                continue
            }
            horizons.append(horizon)
            if let more = answer.needed { needed = max(needed ?? 0, more) }
        }
    }
}

/// Returns the horizons in words: " until day 2, until day 7 and to date".
private func horizonWords(_ horizons: [Horizon]) -> Message {
    var words: Message = ""
    for (place, horizon) in horizons.enumerated() {
        let separator: StaticString = place == 0 ? " " : place + 1 < horizons.count ? ", " : " and "
        let until: StaticString = horizon == .toDate ? "" : "until "
        words = "\(words)\(separator)\(until)\(horizon.words)"
    }
    return words
}
