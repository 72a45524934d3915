internal import SKANCore

extension AssumptionWarning {
    /// At this share of revenue and above, an estimate depends mostly on whether the line has the one payer.
    private static var most: Double { 0.25 }

    /// Warns that one payer accounts for much of all revenue.
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
        return AssumptionWarning(
            key: "largest_payer", share: largest / sum,
            sentence: """
                One of the own installs brought \(percent(largest / sum)) of all revenue to date. Every estimate depends on \
                whether it is one of the line's.
                """)
    }
}
