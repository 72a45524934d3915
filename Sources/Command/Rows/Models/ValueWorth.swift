package import SKANCore

/// What a value is worth: the revenue that a conversion model says of it.
enum ValueWorth {
    case known(ValueRevenue)
    /// No rule has the value.
    case undecodable
    /// The window's rules do not speak of revenue.
    case noRevenue
    /// Windows 1 and 2: revenue since the install, which window 0 has counted already.
    case cumulative
}

/// The known revenue of a value.
package struct ValueRevenue {
    package let range: RevenueRange
    /// nil: of all kinds.
    package let kind: RevenueKind?
    /// Registering alone gives the value too: it counts with its lower end, as if no rule had held.
    let isRegistration: Bool

    /// The middle of the range, half to even where it has more than twelve places; the lower end where one of the two
    /// ends is open, and of what registering alone gives.
    package var estimate: Money {
        guard !isRegistration, range.hasLowerEnd, let most = range.most else { return range.least }
        var twice = range.least
        return twice.take(in: most) ? twice.share(1, of: 2) ?? range.least : range.least
    }
}

extension ValueWorth {
    init(_ decoded: DecodedValue) {
        let window = decoded.model.windows[decoded.window]
        // Coarse rules tell of a coarse value that came without a fine one.
        let isCoarseAlone = decoded.rules.isEmpty && !decoded.isRegistration
        var envelope = window.list.envelopeWhereTheyWin(decoded.rules)
        if isCoarseAlone, let list = window.coarseList, let coarse = decoded.coarse {
            envelope = list.envelopeWhereTheyWin(coarse.rules)
        }
        if decoded.isRegistration { envelope.takeInRegistration() }
        self = !window.asksRevenue ? .noRevenue : ValueWorth(envelope.revenue, of: decoded)
    }

    /// The revenue of purchases and ads together if the model says it, else the sum of both, or the one that is known.
    /// Revenue since the install is the window's own in window 0 alone. A value without a range is worth nothing for
    /// certain, and has no upper limit.
    private init(_ conditions: [ModelCondition], of decoded: DecodedValue) {
        var (purchases, ads, all): (RevenueRange?, RevenueRange?, RevenueRange?)
        var isCumulative = false
        self = .undecodable
        for condition in conditions {
            guard let axis = condition.axis.revenue else { continue }
            if axis.isLifetime, decoded.window > 0 {
                isCumulative = true
                continue
            }
            guard let range = RevenueRange(condition) else { return }
            switch axis.kind {
            case .iap: purchases = purchases?.narrowed(by: range) ?? range
            case .ad: ads = ads?.narrowed(by: range) ?? range
            case nil: all = all?.narrowed(by: range) ?? range
            }
        }
        if all == nil, let purchases, let ads {
            guard let sum = purchases.added(to: ads) else { return }
            all = sum
        }
        let known = all ?? purchases ?? ads
        if known == nil, isCumulative {
            self = .cumulative
        } else {
            let kind: RevenueKind? = all != nil || known == nil ? nil : purchases == nil ? .ad : .iap
            self = .known(ValueRevenue(range: known ?? .open, kind: kind, isRegistration: decoded.isRegistration))
        }
    }
}
