import SKANCommandOutput
import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// The report in one paragraph: what was spent and earned, whether the target is reached, and which campaigns are
    /// best and weakest.
    var answer: HTML {
        let gaps = basis == nil || total.brought?[.toDate].figure != nil ? [] : estimateGaps(.total)
        let sentences = [earned, targetAnswer, extremes].compactMap { $0 }
        return "<p class=\"answer\">\(HTML.each(sentences) { "\($0) " })\(HTML.each(gaps) { "\($0) " })</p>\n"
    }

    /// The sentence on what the installs have earned so far, and what was spent on them.
    private var earned: HTML? {
        let installs = total.counts.installsWithRedownloads
        let spent: HTML? = total.paid.cost.map { "<b>\(shown($0))</b> spent on ads" }
        if basis != nil {
            let answers = total.brought?.figures
            guard let spent, let share = measure?.figure(total, .toDate)?.rounded(.share),
                let revenue = answers?.paid[Horizon.toDate.rawValue].figure?.rounded(.amount)
            else { return estimatedAlone(installs) }
            return """
                \(spent) has earned an estimated <b>\(revenue.estimate)\(unit)</b> \
                (\(revenue.interval)) so far, a return of <b>\(share.estimate)</b> (\(share.interval)).
                """
        }
        return provenEarned(spent, installs)
    }

    private func estimatedAlone(_ installs: UInt64) -> HTML? {
        guard let revenue = total.brought?[.toDate].figure?.rounded(.amount) else { return provenEarned(nil, installs) }
        let each = measure?.isReturn == false ? measure?.figure(total, .toDate)?.rounded(.amount) : nil
        let perInstall: HTML = each.map { ", \($0.estimate)\(unit) each" } ?? ""
        return """
            <b>\(installs.readable)</b> installs have earned an estimated <b>\(revenue.estimate)\(unit)</b> \
            (\(revenue.interval)) so far\(perInstall).
            """
    }

    /// Returns the sentence of `earned` for a report without estimates: the revenue that values prove or, if they prove
    /// none, the number of installs. `spent`: the words on the cost; nil if there is none.
    private func provenEarned(_ spent: HTML?, _ installs: UInt64) -> HTML {
        let counted: HTML = "<b>\(installs.readable)</b> install\(plural(installs))"
        let ofPaid = spent != nil
        guard hasRevenue, let least = Figures(ofPaid ? total.paid : total.counts, .installs).least else {
            let price = total.costPerInstall?.readable
            let costs: HTML = spent.map { ", \($0)" } ?? ""
            let each: HTML = price.map { ", \($0)\(unit) each" } ?? ""
            return "\(counted)\(costs)\(each)."
        }
        let share = ofPaid ? total.returnOnAdSpend(least)?.readable : nil
        let ofCost: HTML = share.map { ", a return of at least <b>\($0)</b>" } ?? ""
        return """
            \(spent ?? counted) earned at least <b>\(shown(least))</b>\(ofCost): that much the values prove.
            """
    }

    private var targetAnswer: HTML? {
        guard let target else { return nil }
        guard let chance = total.brought?.targetChance else {
            return "How likely the target of \(target.words) is cannot be estimated."
        }
        let likely: Message = FigureValue.chance(chance).readable ?? "?"
        return "The target of \(target.words) is <b>\(likely) likely</b>."
    }

    /// The sentence that names the best and the weakest campaign, and says if this is not certain yet.
    private var extremes: HTML? {
        guard let measure, measure.isEstimated else { return nil }
        // Compares how likely each campaign is better than the others, since the highest estimate may rest on a few
        // installs.
        let chances = rankedCampaigns.compactMap { line in line.brought?.comparison.map { (line, $0.chance) } }
        guard chances.count > 1, let (best, _) = chances.max(by: { $0.1 < $1.1 }),
            let (weakest, _) = chances.min(by: { $0.1 < $1.1 })
        else { return nil }
        return """
            Best by \(decidedHorizon.words): \(named(best, measure)); weakest: \(named(weakest, measure)).\
            \(certainty(best, weakest))
            """
    }

    private func named(_ line: ReportLine, _ measure: CampaignMeasure) -> HTML {
        let figure = measure.figure(line, decidedHorizon)?.rounded(measure.unit)
        let share: Message = figure?.estimate ?? "?"
        return "<b><bdi>\(line.titleParts.title)</bdi></b>, \(share)"
    }

    private func certainty(_ best: ReportLine, _ weakest: ReportLine) -> HTML {
        guard let (better, worse) = pair(best.brought?.comparison?.chance, weakest.brought?.comparison?.chance)
        else { return "" }
        let sure = CampaignComparison.sure
        if better >= sure && 1 - worse >= sure { return "" }
        if better < sure && 1 - worse < sure { return " Neither is certain yet: chance may have ordered them." }
        return better < sure ? " Which is best is not certain yet." : " Which is weakest is not certain yet."
    }

    /// Returns an amount with its currency, without cents from a thousand on.
    func shown(_ money: Money) -> Message {
        "\(money.readable(places: money.shownPlaces))\(unit)"
    }

    /// The text after an amount: a space and the currency; empty without a currency.
    private var unit: Message { currency == nil ? "" : " \(currencyText)" }
}

private func pair(_ one: Double?, _ other: Double?) -> (Double, Double)? {
    guard let one, let other else { return nil }
    return (one, other)
}
