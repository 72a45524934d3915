internal import SKANCore

/// Costs are compared with installs and redownloads. Ad sets have neither cost per install nor return, because
/// postbacks with a short identifier may be theirs or not.
extension LineCounts {
    /// The cost in units of the currency; nil where there is none.
    var spent: Double? {
        cost.flatMap { $0.units > 0 ? Double($0.units) / Double(Money.scale) : nil }
    }
}

extension ReportLine {
    /// The cost of an install or redownload; nil where there is no cost or none of them.
    var costPerInstall: FigureValue? {
        let installs = paid.installsWithRedownloads
        guard let cost = paid.cost, installs > 0 else { return nil }
        return .perUnit(cost.units, Int128(installs) * Money.scale)
    }

    /// The return on ad spend by revenue that is known or extrapolated; nil if there is no cost or no revenue.
    func returnOnAdSpend(_ revenue: Money?) -> FigureValue? {
        guard let cost = paid.cost, cost.units > 0, let revenue else { return nil }
        return .share(revenue.units, cost.units)
    }

    /// Whether a campaign with winning postbacks has no cost: the line's cost is compared with the others alone.
    var isCostPartial: Bool {
        level < .adSet && paid.cost != nil
            && Figures(paid, .installs).winning != Figures(counts, .installs).winning
    }
}
