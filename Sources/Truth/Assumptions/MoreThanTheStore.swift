extension AssumptionWarning {
    static func moreThanTheStore(_ organic: OrganicInstalls) -> AssumptionWarning? {
        if let share = organic.excess.installs {
            return AssumptionWarning(finding: .moreInstallsThanTheStore, share: share)
        }
        return organic.excess.revenue.map { AssumptionWarning(finding: .moreRevenueThanTheStore, share: $0) }
    }
}
