internal import SKANCore

extension Report {
    /// What is asked for first, of all lines together: with the app's own installs, the estimated revenue to date.
    var facts: HTML {
        let figures = Figures(total.counts, .installs)
        var facts: HTML = """
            <dl class="facts">
            \(headlineFact)\
            \(fact("Installs", figures.conversions[.install].readable))\
            \(fact("Redownloads", figures.conversions[.redownload].readable))\
            \(fact("Re-engagements", figures.conversions[.reengagement].readable))\
            \(fact("Non-winning postbacks", figures.lost.readable))\
            \(fact("Hidden values", percentText(figures.hidden, of: figures.winning).map { "\($0)%" }))
            """
        if hasRevenue {
            let least = figures.least?.readable(places: 2)
            facts += fact("Revenue that values tell, at least", least, unit: currencyText)
        }
        if hasRevenue && isExtrapolated {
            facts += fact("Revenue, extrapolated", figures.extrapolated?.readable(places: 2), unit: currencyText)
        }
        if hasCosts {
            facts += fact("Cost", total.counts.cost?.readable(places: 2), unit: currencyText)
            facts += fact("Cost per install", total.costPerInstall(places: 2)?.grouped, unit: currencyText)
        }
        if hasCosts && hasRevenue {
            facts += fact("Return on ad spend, at least", total.returnOnAdSpendAtLeastPercent)
            facts += returnFact
        }
        facts += "</dl>\n"
        return facts
    }

    private var headlineFact: HTML {
        guard basis != nil else { return "" }
        let answer = total.brought?[.toDate]
        let unit = answer?.figure == nil ? "" : currencyText
        return fact("Estimated revenue to date (95 % interval)", answer?.longText, unit: unit, isHeadline: true)
    }

    private var returnFact: HTML {
        guard basis != nil else {
            return fact("Return on ad spend, extrapolated", total.returnOnAdSpendExtrapolatedPercent)
        }
        let spend = total.brought?.returnOnAdSpend(.toDate, total.paid.cost)
        return fact("Estimated return on ad spend to date (95 % interval)", spend?.longText(.share))
    }
}

private var headline: HTML { " class=\"headline\"" }

/// A dash where there is no value.
private func fact(
    _ name: StaticString, _ value: Message?, unit: Message = "", isHeadline: Bool = false
) -> HTML {
    let hasUnit = value != nil && !unit.utf8.isEmpty
    let unitSpan: HTML = hasUnit ? " <span>\(unit)</span>" : ""
    return """
        <div\(isHeadline ? headline : "")><dt>\(name)</dt><dd>\(value ?? "–")\(unitSpan)</dd></div>

        """
}
