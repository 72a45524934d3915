import SKANCommandRows
import SKANCore

/// Costs compared with installs and redownloads. Ad sets have neither a cost per install nor a return, because
/// postbacks with a short identifier may or may not belong to them.
extension LineCounts {
    /// The cost in units of the currency; nil without a cost, or if the cost is 0.
    var spent: Double? {
        cost.flatMap { $0.units > 0 ? Double($0.units) / Double(Money.scale) : nil }
    }
}

extension ReportLine {
    /// nil without a cost, or without installs and redownloads.
    var costPerInstall: FigureValue? {
        let installs = paid.installsWithRedownloads
        guard let cost = paid.cost, installs > 0 else { return nil }
        return .perUnit(cost.units, Int128(installs) * Money.scale)
    }

    /// nil if revenue or cost is not known, or if the cost is 0.
    func returnOnAdSpend(_ revenue: Money?) -> FigureValue? {
        guard let cost = paid.cost, cost.units > 0, let revenue else { return nil }
        return .share(revenue.units, cost.units)
    }

    /// Whether some campaign of the line has winning postbacks but no cost, so that the line's cost is compared only
    /// with its other campaigns.
    var isCostPartial: Bool {
        level < .adSet && paid.cost != nil
            && Figures(paid, .installs).winning != Figures(counts, .installs).winning
    }
}
