internal import SKANCore

/// What the data show of an assumption of the estimates that does not hold. Sources/Command/CampaignTruth.md names
/// those of which no data tell.
struct AssumptionWarning {
    let key: StaticString
    /// What the sentence is about, 0.48 for 48 %.
    let share: Double
    let sentence: Message

    static func all(
        _ groups: InstallGroups, _ told: PostbackFacts, _ values: [PostbackValueCount],
        _ later: [(network: Message, checks: [LaterCheck])], _ organic: OrganicInstalls
    ) -> [AssumptionWarning] {
        [
            largestPayer(groups), cohorts(groups), olderVersions(told), missingValues(told),
            missingInstalls(groups, values), moreThanTheStore(organic), laterWindows(later), laterPostbacks(later),
        ].compactMap { $0 }
    }

    /// "48 %".
    static func percent(_ share: Double) -> Message { "\(BroughtFigure.text(share * 100, places: 0) ?? "?") %" }
}
