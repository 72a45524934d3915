internal import SKANCore

extension AssumptionWarning {
    private static var most: Double { 0.02 }

    /// Postbacks of SKAdNetwork before 4.0: their only window ends after 24 hours without an update, so their fine values
    /// are not those of the own installs.
    static func olderVersions(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.fineOfOlderVersions) / Double(max(told.installs, 1))
        guard share > most else { return nil }
        return AssumptionWarning(
            key: "older_versions", share: share,
            sentence: """
                \(percent(share)) of the installs have a fine value by SKAdNetwork before 4.0, whose window ends 24 hours after \
                the last update: they may have brought more than own installs with that value.
                """)
    }
}
