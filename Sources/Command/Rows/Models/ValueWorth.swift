package import SKANCore

/// The revenue that a conversion model assigns to a value.
enum ValueWorth {
    case known(ValueRevenue)
    /// No rule gives the value.
    case undecodable
    /// No rule for this window has a condition on revenue.
    case noRevenue
    /// In window 1 or 2, the value stands for revenue since the install, which was already counted for window 0.
    case cumulative
}

package struct ValueRevenue {
    package let range: RevenueRange
    /// The kind of revenue; nil for all kinds together.
    package let kind: RevenueKind?
    /// Whether registration alone also gives the value.
    let isRegistration: Bool

    /// The middle of the range, rounded half to even to twelve decimal places. If the range is open at either end, or
    /// if registration alone also gives the value, the estimate is the lower end.
    package var estimate: Money {
        guard !isRegistration, range.hasLowerEnd, let most = range.most else { return range.least }
        var twice = range.least
        return twice.take(in: most) ? twice.share(1, of: 2) ?? range.least : range.least
    }
}

extension ValueWorth {
    init(_ decoded: DecodedValue) {
        let window = decoded.model.windows[decoded.window]
        // For a coarse value without a fine one, the coarse rules apply.
        let isCoarseAlone = decoded.rules.isEmpty && !decoded.isRegistration
        var envelope = window.list.envelopeWhereTheyWin(decoded.rules)
        if isCoarseAlone, let list = window.coarseList, let coarse = decoded.coarse {
            envelope = list.envelopeWhereTheyWin(coarse.rules)
        }
        if decoded.isRegistration { envelope.takeInRegistration() }
        self = !window.asksRevenue ? .noRevenue : ValueWorth(envelope.revenue, of: decoded)
    }

    /// Computes the range of revenue that `conditions` on a value allow. Uses the conditions on the total of purchases
    /// and ads if there are any, otherwise the sum of both ranges, or the range of the only kind with a condition.
    /// Revenue since the install counts only in window 0, where it equals the revenue of the window. Without any
    /// condition, no revenue is certain and there is no upper limit.
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
