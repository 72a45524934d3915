internal import SKANCore

/// The organic installs, which no postback reports, and all own installs. Campaigns and organic installs add up to the
/// store. Installs that are too young to have reported are in neither.
struct OrganicInstalls {
    /// The number of the store's installs, except those left out.
    let storeInstalls: UInt64
    /// The number of installs and redownloads that postbacks report.
    let reported: UInt64
    /// The number of organic installs; nil if postbacks report more installs than the store has, or if `answers` is
    /// nil.
    let installs: UInt64?
    /// Revenue of organic installs by horizon; nil in a report that leaves out postbacks by network or time, since
    /// these are not organic.
    let answers: [BroughtAnswer]?
    let storeAnswers: [BroughtAnswer]
    /// The excess of campaigns over the store, as a share of the store; nil if there is none.
    let excess: (installs: Double?, revenue: Double?)

    /// Organic revenue by horizon in whole cents: the store's revenue minus the estimated revenue of campaigns.
    static func answers(_ draws: BroughtDraws, total: [BroughtAnswer]) -> [BroughtAnswer] {
        Horizon.allCases.map { horizon in
            guard let brought = total[horizon.rawValue].figure else { return total[horizon.rawValue] }
            let (store, organic) = (draws.storeFigure(horizon), draws.organicFigure(horizon))
            let rest = ((store.estimate * 100).rounded() - (brought.estimate * 100).rounded()) / 100
            guard rest >= 0 || store.estimate < 0 else { return .none(.moreThanTheStore) }
            return .figure(BroughtFigure(rest, (min(organic.low, rest), max(organic.high, rest))))
        }
    }

    /// The excess of campaigns' revenue over the store's, as a share of the latter, at the horizon where it is largest;
    /// nil if there is none.
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
            are organic: postbacks report \(reported.readable) installs and redownloads. To date the organic ones brought \
            \(organic) of \(store) \(currency).
            """
    }
}
