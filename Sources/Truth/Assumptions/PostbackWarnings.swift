extension AssumptionWarning {
    private static var mostMissing: Double { 0.05 }
    private static var fewestMissing: UInt64 { 20 }

    /// Warns that values are missing because the app did not set them, not only because of crowd anonymity. Such
    /// postbacks have three or four digits of the source identifier, which Apple sends only to crowds that are large
    /// enough for a value.
    static func missingValues(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.longIdentifiersWithoutValue) / Double(max(told.longIdentifiers, 1))
        guard share > mostMissing, told.longIdentifiersWithoutValue >= fewestMissing else { return nil }
        return AssumptionWarning(finding: .missingValues, share: share)
    }
}

extension AssumptionWarning {
    private static var mostOlder: Double { 0.02 }

    /// Warns about postbacks of SKAdNetwork before 4.0. Their only window ends after 24 hours without an update, so
    /// their fine values are not comparable with those of the app's own installs, which are of SKAN 4.
    static func olderVersions(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.fineOfOlderVersions) / Double(max(told.installs, 1))
        guard share > mostOlder else { return nil }
        return AssumptionWarning(finding: .olderVersions, share: share)
    }
}
