internal import SKANCommandOutput
internal import SKANCore

/// Texts of the comparisons that managers decide by.
extension Report {
    /// Whether any line has the chance of a target or a comparison.
    var hasComparisons: Bool { lines.contains { $0.isCompared } }

    var comparisonCaption: Message {
        let horizon = (target?.horizon ?? ReturnTarget.usualHorizon).words
        let lines: StaticString =
            switch dimension {
            case .campaign: "Campaigns"
            case .country: "Countries"
            case .sourceApp: "Source apps"
            }
        return hasCosts
            ? "\(lines) compared by estimated return on ad spend, \(horizon)"
            : "\(lines) compared by estimated revenue of an install, \(horizon)"
    }

    /// Names of the campaigns that this line is better than, at most the first few; nil if there are none.
    func betterThan(_ line: ReportLine) -> Message? {
        guard let better = line.brought?.comparison?.betterThan, !better.isEmpty else { return nil }
        return namedTitles(better.map { lines[$0.line].titleWithNetwork })
    }
}

extension ReportLine {
    var isCompared: Bool { brought?.targetChance != nil || brought?.comparison != nil }

    /// "83%".
    var targetChanceText: Message? { brought?.targetChance.map(chanceText) }

    /// The chance that the campaign is better than the others together.
    var betterChanceText: Message? { brought?.comparison.map { chanceText($0.chance) } }

    /// "2,300", the number of installs needed; nil if the comparison is decided, or the number is not known.
    var installsNeededText: Message? { brought?.comparison?.needed?.readable }
}

/// A chance in percent, never written as exactly 0 or 100.
private func chanceText(_ chance: Double) -> Message {
    let places = chance > 0.99 || chance < 0.01 ? 1 : 0
    return "\(BroughtFigure.text(chance * 100, places: places) ?? "?")%"
}
