internal import SKANCore

extension AssumptionWarning {
    private static var mostMissing: Double { 0.05 }
    private static var fewestMissing: UInt64 { 20 }

    /// Warns that the app did not set a value, so that crowd anonymity is not the only reason for missing values. Such
    /// postbacks have three or more digits of the source identifier, which Apple sends only together with a value.
    static func missingValues(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.longIdentifiersWithoutValue) / Double(max(told.longIdentifiers, 1))
        guard share > mostMissing, told.longIdentifiersWithoutValue >= fewestMissing else { return nil }
        return AssumptionWarning(
            key: "missing_values", share: share,
            sentence: """
                \(percent(share)) of the postbacks whose source identifier has three or four digits have no value, though Apple \
                gives one there: the app did not call updatePostbackConversionValue.
                """)
    }
}

extension AssumptionWarning {
    private static var mostOlder: Double { 0.02 }

    /// Warns about postbacks of SKAdNetwork before 4.0: their only window ends after 24 hours without an update, so
    /// their fine values are not comparable with those of own installs.
    static func olderVersions(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.fineOfOlderVersions) / Double(max(told.installs, 1))
        guard share > mostOlder else { return nil }
        return AssumptionWarning(
            key: "older_versions", share: share,
            sentence: """
                \(percent(share)) of the installs have a fine value by SKAdNetwork before 4.0, whose window ends 24 hours after \
                the last update: they may have brought more than own installs with that value.
                """)
    }
}
