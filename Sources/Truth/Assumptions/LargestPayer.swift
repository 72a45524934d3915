extension AssumptionWarning {
    /// The largest share of all revenue that one payer may have. Beyond it, an estimate mostly depends on whether this
    /// payer is drawn for the line.
    private static var most: Double { 0.25 }

    static func largestPayer(_ groups: InstallGroups) -> AssumptionWarning? {
        var (sum, largest) = (0.0, 0.0)
        for group in 0..<groups.groupCount {
            for installs in groups[group].weeks {
                for revenue in installs.revenues {
                    sum += revenue[.toDate]
                    largest = max(largest, revenue[.toDate])
                }
            }
        }
        guard sum > 0, largest > most * sum else { return nil }
        return AssumptionWarning(finding: .largestPayer, share: largest / sum)
    }
}
