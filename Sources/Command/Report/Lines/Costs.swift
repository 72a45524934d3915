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
    /// nil where there is no cost or no install.
    func costPerInstall(places: Int) -> Message? {
        let installs = paid[.installs, .first].conversions[.install]
        return paid.cost.flatMap { quotientText($0.units, Int128(installs) &* Money.scale, places: places) }
    }

    /// The return on ad spend by the revenue that values stand for at least; nil if there is no cost or no revenue.
    func returnOnAdSpendAtLeast(places: Int) -> Message? {
        returnOnAdSpend(Figures(paid, .installs).least, places: places)
    }

    /// The return on ad spend by extrapolated revenue; nil if there is no cost or no revenue.
    func returnOnAdSpendExtrapolated(places: Int) -> Message? {
        returnOnAdSpend(Figures(paid, .installs).extrapolated, places: places)
    }

    private func returnOnAdSpend(_ revenue: Money?, places: Int) -> Message? {
        guard let cost = paid.cost, let revenue else { return nil }
        return quotientText(revenue.units, cost.units, places: places)
    }

    /// "62.3%": what values stand for at least, as people read it.
    var returnOnAdSpendAtLeastPercent: Message? { returnOnAdSpendPercent(Figures(paid, .installs).least) }

    /// "62.3%": what is extrapolated, as people read it.
    var returnOnAdSpendExtrapolatedPercent: Message? {
        returnOnAdSpendPercent(Figures(paid, .installs).extrapolated)
    }

    private func returnOnAdSpendPercent(_ revenue: Money?) -> Message? {
        guard let cost = paid.cost, let revenue else { return nil }
        return percentText(revenue.units, of: cost.units).map { "\($0.grouped)%" }
    }

    /// Whether a campaign with winning postbacks has no cost: the line's cost is compared with the others alone.
    var isCostPartial: Bool {
        level < .adSet && paid.cost != nil
            && Figures(paid, .installs).winning != Figures(counts, .installs).winning
    }
}
