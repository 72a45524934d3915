import SKANCore

extension AssumptionWarning {
    /// A difference counts if it exceeds this many standard deviations. With a dozen comparisons in each report, chance
    /// alone exceeds it in one of a hundred reports.
    private static var chance: Double { 3.4 }
    private static var least: Double { 0.9 }

    /// Warns that the values in postbacks of windows 1 and 2 differ from those of the app's own installs with the same
    /// value in window 0. This means that installs from ads are unlike the others. `checks`: the checks of each
    /// network.
    static func laterWindows(_ checks: [[LaterCheck]]) -> AssumptionWarning? {
        var worst: (network: Int, check: LaterCheck)?
        for (network, checks) in checks.enumerated() {
            let unusable = checks.filter { $0.kind == .any && !$0.isPlausible }.map { $0.window }
            for check in checks where !unusable.contains(check.window) && isDifferent(check) {
                if check.deviations.magnitude > worst?.check.deviations.magnitude ?? 0 { worst = (network, check) }
            }
        }
        guard let (network, check) = worst else { return nil }
        return AssumptionWarning(finding: .laterWindows(network: network, check), share: check.ratio)
    }

    private static func isDifferent(_ check: LaterCheck) -> Bool {
        check.deviations.magnitude > chance && !(least...1 / least).contains(check.ratio)
    }

    /// Warns that a window after the first has so few or so many postbacks that players cannot be the reason: the app
    /// does not set values there, or the network does not forward these postbacks. Estimates then do not use the
    /// network's postbacks of that window.
    static func laterPostbacks(_ checks: [[LaterCheck]]) -> AssumptionWarning? {
        for (network, checks) in checks.enumerated() {
            guard let check = checks.first(where: { $0.kind == .any && !$0.isPlausible }) else { continue }
            return AssumptionWarning(finding: .laterPostbacks(network: network, check), share: check.ratio)
        }
        return nil
    }
}
