/// A warning that an assumption of the estimates does not hold, with what the data show of it. CampaignTruth.md names
/// the assumptions that no data can test.
package struct AssumptionWarning {
    package let finding: AssumptionFinding
    /// The share that the finding tells, 0.48 for 48 %.
    package let share: Double

    /// `later`: the later windows of each network.
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

/// What may be found of an assumption.
package enum AssumptionFinding {
    /// One of the own installs brought this share of all revenue.
    case largestPayer
    /// The later half of own installs brought this share of what the earlier half brought.
    case cohorts
    /// The same comparison, of payers alone.
    case cohortsOfPayers
    /// This share of installs has a fine value of a SKAdNetwork version before 4.0.
    case olderVersions
    /// This share of postbacks has no value although Apple gives one.
    case missingValues
    /// For this share of reported installs, the store has no install of those days with the reported value.
    case missingInstalls
    /// Campaigns have more installs, or more revenue, than all own installs together; the share is the excess.
    case moreInstallsThanTheStore
    case moreRevenueThanTheStore
    /// The values of a network's later window differ from what own installs predict. `network` is its index.
    case laterWindows(network: Int, LaterCheck)
    /// Postbacks of a network's later window are missing, or belong to other installs. `network` is its index.
    case laterPostbacks(network: Int, LaterCheck)
}
