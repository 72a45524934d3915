extension AssumptionWarning {
    /// Warns that campaigns have more installs, or more revenue, than the app's own store.
    static func moreThanTheStore(_ organic: OrganicInstalls) -> AssumptionWarning? {
        if let share = organic.excess.installs {
            return AssumptionWarning(finding: .moreInstallsThanTheStore, share: share)
        }
        return organic.excess.revenue.map { AssumptionWarning(finding: .moreRevenueThanTheStore, share: $0) }
    }
}
