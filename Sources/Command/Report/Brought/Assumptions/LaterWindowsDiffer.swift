internal import SKANCore

extension AssumptionWarning {
    /// The number of standard deviations that chance alone exceeds in one of a hundred reports, with a dozen
    /// comparisons in each.
    private static var chance: Double { 3.4 }
    private static var least: Double { 0.9 }

    /// Warns that the values of windows 1 and 2 differ from those of own installs with the same value in window 0, so
    /// that players from ads are unlike others. `checks`: the checks of each network, with the network's title.
    static func laterWindows(_ checks: [(network: Message, checks: [LaterCheck])]) -> AssumptionWarning? {
        var worst: (network: Message, check: LaterCheck)?
        for (network, checks) in checks {
            let unusable = checks.filter { $0.kind == .any && !$0.isPlausible }.map { $0.window }
            for check in checks where !unusable.contains(check.window) && isDifferent(check) {
                if check.deviations.magnitude > worst?.check.deviations.magnitude ?? 0 { worst = (network, check) }
            }
        }
        guard let (network, check) = worst else { return nil }
        let what: StaticString =
            switch check.kind {
            case .any: "have a"
            case .aboveLow: "have a medium or high"
            case .high: "have a high"
            }
        return AssumptionWarning(
            key: "later_windows", share: check.ratio,
            sentence: """
                \(percent(check.told / check.installs)) of the installs of \(network) \(what) value in window \
                \(check.window.rawValue), where own installs with the same values let expect \
                \(percent(check.expected / check.installs)): players that ads bring are unlike others of the same value.
                """)
    }

    private static func isDifferent(_ check: LaterCheck) -> Bool {
        check.deviations.magnitude > chance && !(least...1 / least).contains(check.ratio)
    }

    /// Warns that a later window has so few or so many postbacks that players cannot be the reason: the app does not
    /// set values there, or the network does not forward these postbacks. Estimates do not use them.
    static func laterPostbacks(_ checks: [(network: Message, checks: [LaterCheck])]) -> AssumptionWarning? {
        for (network, checks) in checks {
            guard let check = checks.first(where: { $0.kind == .any && !$0.isPlausible }) else { continue }
            let (told, expected) = (UInt64(max(check.told, 0)), UInt64(max(check.expected, 0)))
            return AssumptionWarning(
                key: "later_postbacks", share: check.ratio,
                sentence: """
                    Postbacks of window \(check.window.rawValue) report \(told.readable) values of \(network), where own \
                    installs let expect \(expected.readable): too far apart to be explained by players. Estimates of this \
                    network do not use them.
                    """)
        }
        return nil
    }
}
