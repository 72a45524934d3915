import SKANCore

extension AssumptionWarning {
    /// The number of standard deviations that chance alone exceeds in one of a hundred reports, with a dozen
    /// comparisons in each.
    private static var chance: Double { 3.4 }
    private static var least: Double { 0.9 }

    /// Warns if the postbacks of windows 1 and 2 report other values than own installs with the same values lead to
    /// expect: then installs from ads differ from others. `checks` has those of each network.
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

    /// Warns that a later window has so few or so many postbacks that players cannot be the reason: the app does not
    /// set values there, or the network does not forward these postbacks. Estimates do not use them.
    static func laterPostbacks(_ checks: [[LaterCheck]]) -> AssumptionWarning? {
        for (network, checks) in checks.enumerated() {
            guard let check = checks.first(where: { $0.kind == .any && !$0.isPlausible }) else { continue }
            return AssumptionWarning(finding: .laterPostbacks(network: network, check), share: check.ratio)
        }
        return nil
    }
}
