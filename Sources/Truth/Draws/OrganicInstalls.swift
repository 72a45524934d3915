/// The organic installs, which no postback reports, and the totals of the app's own store, which contain the installs
/// of campaigns as well. Installs that are too young to have reported are left out of all these numbers.
package struct OrganicInstalls {
    /// The number of the store's installs, without those that the estimates leave out.
    package let storeInstalls: UInt64
    /// The number of installs and redownloads that postbacks report.
    package let reported: UInt64
    /// The number of organic installs; nil if postbacks report more installs than the store has, or if `answers` is
    /// nil.
    package let installs: UInt64?
    /// The revenue of organic installs by horizon; nil in a report that leaves out postbacks by network or time,
    /// because the installs in the omitted postbacks would look organic.
    package let answers: [BroughtAnswer]?
    package let storeAnswers: [BroughtAnswer]
    /// The amounts by which campaigns exceed the store, as shares of the store; nil if they do not.
    let excess: (installs: Double?, revenue: Double?)

    /// The organic revenue by horizon in whole cents: the store's revenue minus the estimated revenue of campaigns.
    static func answers(_ draws: BroughtDraws, total: [BroughtAnswer]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let brought = total[horizon.rawValue].figure else { return total[horizon.rawValue] }
            let (store, organic) = (draws.storeFigure(horizon), draws.organicFigure(horizon))
            let rest = ((store.estimate * 100).rounded() - (brought.estimate * 100).rounded()) / 100
            guard rest >= 0 || store.estimate < 0 else { return .none(.moreThanTheStore) }
            return .figure(BroughtFigure(rest, (min(organic.low, rest), max(organic.high, rest))))
        }
    }

    /// The largest excess of campaigns' revenue over the store's at any horizon, as a share of the store's revenue; nil
    /// if there is none.
    static func excess(_ draws: BroughtDraws, total: [BroughtAnswer]) -> Double? {
        Horizon.allCases.compactMap { horizon -> Double? in
            let store = draws.storeFigure(horizon).estimate
            guard store > 0, let brought = total[horizon.rawValue].figure?.estimate, brought > store else { return nil }
            return brought / store - 1
        }.max()
    }
}
