internal import SKANCore

extension AssumptionWarning {
    private static var most: Double { 0.05 }
    private static var fewest: UInt64 { 20 }

    /// Apple gives three digits of a source identifier only where it gives a value too. Where none came, the app told
    /// none, so that values are not missing by the crowd alone.
    static func missingValues(_ told: PostbackFacts) -> AssumptionWarning? {
        let share = Double(told.longIdentifiersWithoutValue) / Double(max(told.longIdentifiers, 1))
        guard share > most, told.longIdentifiersWithoutValue >= fewest else { return nil }
        return AssumptionWarning(
            key: "missing_values", share: share,
            sentence: """
                \(percent(share)) of the postbacks whose source identifier has three or four digits have no value, though Apple \
                gives one there: the app did not call updatePostbackConversionValue.
                """)
    }
}
