import SKANCommandRows
import SKANCore
import SKANTruth

extension Report {
    /// The most important figures of all lines together: with the app's own installs, the estimated revenue to date.
    var facts: HTML {
        let figures = Figures(total.counts, .installs)
        let shown = HTML.each(shownFigures(.installs)) { figure in
            let value = figure.value(total, figures)
            return fact(
                figure.names.title ?? "", value?.readable, unit: value?.isMoney == true ? currencyText : "")
        }
        return "<dl class=\"facts\">\n\(headlineFact)\(shown)\(returnFact)</dl>\n"
    }

    private var headlineFact: HTML {
        guard basis != nil else { return "" }
        let answer = total.brought?[.toDate]
        let unit = answer?.figure == nil ? "" : currencyText
        return fact("Estimated revenue to date (95 % interval)", answer?.longText, unit: unit, isHeadline: true)
    }

    private var returnFact: HTML {
        guard basis != nil, hasCosts, hasRevenue else { return "" }
        let spend = total.brought?.returnOnAdSpend(.toDate, total.paid.cost)
        return fact("Estimated return on ad spend to date (95 % interval)", spend?.longText(.share))
    }
}

private var headline: HTML { " class=\"headline\"" }

/// A fact; shows a dash if there is no value.
private func fact(
    _ name: StaticString, _ value: Message?, unit: Message = "", isHeadline: Bool = false
) -> HTML {
    let hasUnit = value != nil && !unit.utf8.isEmpty
    let unitSpan: HTML = hasUnit ? " <span>\(unit)</span>" : ""
    return """
        <div\(isHeadline ? headline : "")><dt>\(name)</dt><dd>\(value ?? "–")\(unitSpan)</dd></div>

        """
}
