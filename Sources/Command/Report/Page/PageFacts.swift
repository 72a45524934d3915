internal import SKANCore

extension Report {
    /// What is asked for first, of all lines together.
    var facts: HTML {
        let figures = Figures(total.counts, .installs)
        var facts: HTML = """
            <dl class="facts">
            \(fact("Installs", figures.conversions[.install].readable))\
            \(fact("Redownloads", figures.conversions[.redownload].readable))\
            \(fact("Re-engagements", figures.conversions[.reengagement].readable))\
            \(fact("Non-winning postbacks", figures.lost.readable))\
            \(fact("Hidden values", percentText(figures.hidden, of: figures.winning), unit: "%"))
            """
        if hasRevenue {
            facts += fact("Revenue, at least", figures.least?.readable(places: 2), unit: currencyText)
            facts += fact("Revenue, estimate", figures.estimate?.readable(places: 2), unit: currencyText)
        }
        if hasCosts {
            facts += fact("Cost", total.counts.cost?.readable(places: 2), unit: currencyText)
            facts += fact("Cost per install", total.costPerInstall(places: 2)?.grouped, unit: currencyText)
        }
        if hasCosts && hasRevenue {
            facts += fact("Return on ad spend, at least", total.returnOnAdSpendAtLeastPercent)
            facts += fact("Return on ad spend, estimate", total.returnOnAdSpendEstimatePercent)
        }
        facts += "</dl>\n"
        return facts
    }
}

/// A dash where there is no value.
private func fact(_ name: StaticString, _ value: Message?, unit: Message = "") -> HTML {
    let hasUnit = value != nil && !unit.utf8.isEmpty
    let unitSpan: HTML = hasUnit ? " <span>\(unit)</span>" : ""
    return """
        <div><dt>\(name)</dt><dd>\(value ?? "–")\(unitSpan)</dd></div>

        """
}
