internal import SKANCommandOutput
internal import SKANCommandRows
internal import SKANCore
internal import SKANTruth

/// What a manager decides by, in words.
extension Report {
    /// Whether there is a chance of a target or a comparison.
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

    /// The campaigns that one is better than, the first ones by name; nil where there are none.
    func betterThan(_ line: ReportLine) -> Message? {
        guard let better = line.brought?.comparison?.betterThan, !better.isEmpty else { return nil }
        return namedTitles(better.map { lines[$0.line].titleWithNetwork })
    }
}

extension ReportLine {
    var isCompared: Bool { brought?.targetChance != nil || brought?.comparison != nil }
}
