internal import SKANCore

extension AssumptionWarning {
    private static var most: Double { 0.02 }
    private static var fewest: Double { 10 }

    /// Postbacks tell of more installs with a value than the store has: it is of another app, or installs are not
    /// registered.
    static func missingInstalls(_ groups: InstallGroups, _ values: [PostbackValueCount]) -> AssumptionWarning? {
        let installs = values.reduce(0) { $0 + Double($1.count) }
        var left = (0..<groups.groupCount).map { Double(groups[$0].installs) }
        var lacking = max(installs - left.reduce(0, +), 0)
        var ofValues = 0.0
        for value in values {
            guard case .fine(let fine) = value.key.value else { continue }
            let group = value.key.model * InstallGroup.count + fine
            guard left.indices.contains(group) else { continue }
            ofValues += max(Double(value.count) - max(left[group], 0), 0)
            left[group] -= Double(value.count)
        }
        lacking = max(lacking, ofValues)
        guard lacking >= fewest, lacking > most * installs else { return nil }
        return AssumptionWarning(
            key: "missing_installs", share: lacking / installs,
            sentence: """
                For \(percent(lacking / installs)) of the installs that postbacks tell of, the store has no install with that \
                value: installs are not registered there, or it is of another app.
                """)
    }
}
