internal import SKANCore

/// Warns that the data contradict an assumption of the estimates. Sources/Command/CampaignTruth.md also names the
/// assumptions that no data can contradict.
struct AssumptionWarning {
    let key: StaticString
    /// The share that the sentence is about: 0.48 for 48 %.
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
