internal import SKANCore

extension AssumptionWarning {
    /// Warns that campaigns have more installs, or more revenue, than all own installs together.
    static func moreThanTheStore(_ organic: OrganicInstalls) -> AssumptionWarning? {
        if let share = organic.excess.installs {
            return AssumptionWarning(
                key: "more_than_the_store", share: share,
                sentence: """
                    Postbacks report \(percent(share)) more installs than the store has: installs are not registered there, or \
                    the store is of another app.
                    """)
        }
        guard let share = organic.excess.revenue else { return nil }
        return AssumptionWarning(
            key: "more_than_the_store", share: share,
            sentence: """
                The campaigns are estimated to have brought \(percent(share)) more revenue than all own installs together: \
                postbacks report more installs with high values than the store has.
                """)
    }
}
