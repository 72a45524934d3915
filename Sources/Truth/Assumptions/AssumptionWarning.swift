/// A warning that an assumption of the estimates does not hold, with what the data show of it. CampaignTruth.md names
/// the assumptions that no data can test.
package struct AssumptionWarning {
    package let finding: AssumptionFinding
    /// What the finding is about, 0.48 for 48 %.
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
    /// Own installs of the later half brought this share of what those of the earlier half did.
    case cohorts
    /// The same of own installs that brought anything.
    case cohortsOfPayers
    /// This share of installs has a fine value by SKAdNetwork before 4.0.
    case olderVersions
    /// This share of postbacks has no value although Apple gives one.
    case missingValues
    /// For this share of installs, the store has none of these days with that value.
    case missingInstalls
    /// Campaigns have so many more installs, or so much more revenue, than all own installs together.
    case moreInstallsThanTheStore
    case moreRevenueThanTheStore
    /// A later window of a network, by its place, is unlike what own installs let expect.
    case laterWindows(network: Int, LaterCheck)
    /// Postbacks of a later window of a network are missing, or are not those of the installs.
    case laterPostbacks(network: Int, LaterCheck)
}
