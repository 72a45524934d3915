import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

/// Texts about how campaigns compare with each other and with the target.
extension Report {
    /// Whether at least one line has a comparison, or a probability of reaching the target.
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

    /// Returns the titles of the first few campaigns that a line is better than with a probability of at least 80 %;
    /// nil if there are none.
    func betterThan(_ line: ReportLine) -> Message? {
        guard let better = line.brought?.comparison?.betterThan, !better.isEmpty else { return nil }
        return namedTitles(better.map { lines[$0.line].titleWithNetwork })
    }
}

extension ReportLine {
    var isCompared: Bool { brought?.targetChance != nil || brought?.comparison != nil }
}
