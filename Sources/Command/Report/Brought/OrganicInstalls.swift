internal import SKANCore

/// The app's own installs that no postback reports, and all of them: campaigns and organic installs are the store.
/// Installs that are too young to have reported are in neither.
struct OrganicInstalls {
    /// The number of the store's installs, without those that are left out.
    let storeInstalls: UInt64
    /// The number of installs and redownloads that postbacks report.
    let reported: UInt64
    /// nil where postbacks report more installs than the store has, and where `answers` are.
    let installs: UInt64?
    /// Answers by horizon; nil in a report that leaves out postbacks by network or time: what it leaves out is not
    /// organic.
    let answers: [BroughtAnswer]?
    let storeAnswers: [BroughtAnswer]
    /// The shares of the store by which campaigns have more than it, where they do.
    let excess: (installs: Double?, revenue: Double?)

    /// Answers by horizon, in whole cents: what the store's installs bring, less what campaigns are estimated to have
    /// brought.
    static func answers(_ draws: BroughtDraws, total: [BroughtAnswer]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let brought = total[horizon.rawValue].figure else { return total[horizon.rawValue] }
            let (store, organic) = (draws.storeFigure(horizon), draws.organicFigure(horizon))
            let rest = ((store.estimate * 100).rounded() - (brought.estimate * 100).rounded()) / 100
            guard rest >= 0 || store.estimate < 0 else { return .none(.moreThanTheStore) }
            return .figure(BroughtFigure(rest, (min(organic.low, rest), max(organic.high, rest))))
        }
    }

    /// The share of the store's revenue by which the campaigns' is more, at the horizon where this is largest.
    static func excess(_ draws: BroughtDraws, total: [BroughtAnswer]) -> Double? {
        Horizon.allCases.compactMap { horizon -> Double? in
            let store = draws.storeFigure(horizon).estimate
            guard store > 0, let brought = total[horizon.rawValue].figure?.estimate, brought > store else { return nil }
            return brought / store - 1
        }.max()
    }
}

extension OrganicInstalls {
    /// The sentence for the page; nil if there is no estimate.
    func sentence(_ currency: Message) -> Message? {
        guard let installs, let organic = answers?[Horizon.toDate.rawValue].figure?.longText(.amount),
            let store = storeAnswers[Horizon.toDate.rawValue].figure?.longEstimate(.amount)
        else { return nil }
        return """
            Of the \(storeInstalls.readable) own installs that are old enough to have reported, \(installs.readable) \
            are organic: postbacks report \(reported.readable) installs and redownloads. To date the organic ones \
            brought \(organic) of \(store) \(currency).
            """
    }
}
