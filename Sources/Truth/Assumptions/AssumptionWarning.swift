/// A warning that the data contradict an assumption of the estimates, with the number that shows it. CampaignTruth.md
/// names the assumptions that no data can test.
package struct AssumptionWarning {
    package let finding: AssumptionFinding
    /// The finding's number; for example, 0.48 is 48 %.
    package let share: Double

    /// `later`: for each network, the checks of windows 1 and 2.
    static func all(
        _ groups: InstallGroups, _ told: PostbackFacts, _ values: [PostbackValueCount], _ later: [[LaterCheck]],
        _ organic: OrganicInstalls
    ) -> [AssumptionWarning] {
        [
            largestPayer(groups), cohorts(groups), olderVersions(told), missingValues(told),
            missingInstalls(groups, values), moreThanTheStore(organic), laterWindows(later), laterPostbacks(later),
        ].compactMap { $0 }
    }
}

/// A finding that contradicts an assumption. `share` is the number in the warning.
package enum AssumptionFinding {
    /// One of the app's own installs brought a large part of all revenue: `share`.
    case largestPayer
    /// The younger half of the app's own installs brought `share` times as much as the older half.
    case cohorts
    /// The same comparison as `cohorts`, but of payers alone.
    case cohortsOfPayers
    /// A part of the installs, `share`, has a fine value from a SKAdNetwork version before 4.0.
    case olderVersions
    /// A part of the postbacks with three or four digits of the source identifier, `share`, has no value: the app set
    /// none.
    case missingValues
    /// For a part of the reported installs, `share`, the app's own store has no install with the reported value on
    /// about the same days.
    case missingInstalls
    /// Campaigns have more installs than the app's own store: `share` of the store's number too many.
    case moreInstallsThanTheStore
    /// Campaigns have more revenue than the app's own store: `share` of the store's revenue too much.
    case moreRevenueThanTheStore
    /// The values in postbacks of a network's window 1 or 2 differ from those that the app's own installs predict.
    /// `network` is the network's index.
    case laterWindows(network: Int, LaterCheck)
    /// Postbacks of a network's window 1 or 2 are missing, or belong to other installs. `network` is the network's
    /// index.
    case laterPostbacks(network: Int, LaterCheck)
}
