extension AssumptionWarning {
    private static var mostMissing: Double { 0.05 }
    private static var fewestMissing: UInt64 { 20 }

    /// Apple gives three digits of a source identifier only where it gives a value too. Where none came, the app told
    /// none, so that values are not missing by the crowd alone.
    static func missingValues(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.longIdentifiersWithoutValue) / Double(max(told.longIdentifiers, 1))
        guard share > mostMissing, told.longIdentifiersWithoutValue >= fewestMissing else { return nil }
        return AssumptionWarning(finding: .missingValues, share: share)
    }
}

extension AssumptionWarning {
    private static var mostOlder: Double { 0.02 }

    /// Postbacks of SKAdNetwork before 4.0: their only window ends after 24 hours without an update, so their fine values
    /// are not those of the own installs.
    static func olderVersions(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.fineOfOlderVersions) / Double(max(told.installs, 1))
        guard share > mostOlder else { return nil }
        return AssumptionWarning(finding: .olderVersions, share: share)
    }
}
