internal import SKANCore

/// Costs are compared with installs and redownloads. Ad sets have neither cost per install nor return: postbacks with a
/// short identifier may be theirs, which cannot be told.
extension ReportLine {
    /// nil where there is no cost or no install.
    func costPerInstall(places: Int) -> Message? {
        paid.cost?.share(1, of: paid[.installs, .first].conversions[.install])?.text(places: places)
    }

    /// By what values stand for at least; nil where there is no cost or no revenue.
    func returnOnAdSpendAtLeast(places: Int) -> Message? {
        returnOnAdSpend(Figures(paid, .installs).least, places: places)
    }

    /// By the estimate; nil where there is no cost or no revenue.
    func returnOnAdSpendEstimate(places: Int) -> Message? {
        returnOnAdSpend(Figures(paid, .installs).estimate, places: places)
    }

    private func returnOnAdSpend(_ revenue: Money?, places: Int) -> Message? {
        guard let cost = paid.cost, let revenue else { return nil }
        return quotientText(revenue.units, cost.units, places: places)
    }

    /// Whether a campaign with winning postbacks has no cost: the line's cost is compared with the others alone.
    var isCostPartial: Bool {
        level < .adSet && paid.cost != nil
            && Figures(paid, .installs).winning != Figures(counts, .installs).winning
    }
}
