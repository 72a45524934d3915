internal import SKANCore

extension AssumptionWarning {
    /// A difference that chance makes in one of a hundred reports, of a dozen that are looked at.
    private static var chance: Double { 3.4 }
    private static var least: Double { 0.9 }

    /// What postbacks of windows 1 and 2 tell is not what own installs with the same values let expect: those of ads are
    /// unlike others of the same value. `checks`: of each network, by its title.
    static func laterWindows(_ checks: [(network: Message, checks: [LaterCheck])]) -> AssumptionWarning? {
        var worst: (network: Message, check: LaterCheck)?
        for (network, checks) in checks {
            for check in checks where check.deviations.magnitude > chance && !(least...1 / least).contains(check.ratio)
            {
                if check.deviations.magnitude > worst?.check.deviations.magnitude ?? 0 { worst = (network, check) }
            }
        }
        guard let (network, check) = worst else { return nil }
        let what: StaticString = check.kind == .any ? "have a" : "have a medium or high"
        return AssumptionWarning(
            key: "later_windows", share: check.ratio,
            sentence: """
                \(percent(check.told / check.installs)) of the installs of \(network) \(what) value in window \
                \(check.window.rawValue), where own installs with the same values let expect \
                \(percent(check.expected / check.installs)): players that ads bring are unlike others of the same value.
                """)
    }
}
