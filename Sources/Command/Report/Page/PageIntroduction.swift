import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// The title, the period that the report covers, and the store that it was made from.
    var introduction: HTML { "<header><h1>Campaign report</h1>\n<p class=\"soft\">\(period)\(origin)</p></header>\n" }

    /// Remarks on costs, below the campaigns.
    var remarks: HTML {
        let rates = HTML.each(costRates) { "<p>\($0.sentence(to: currencyText))</p>\n" }
        let costs = HTML.each(costSentences) { "<p>\($0)</p>\n" }
        return hasRevenue ? "\(rates)\(costs)" : "\(rates)\(costs)<p>\(withoutModels)</p>\n"
    }

    private var origin: HTML {
        var origin: HTML = "Made \(utcTime(madeAt)) from <bdi>\(store)</bdi>; times are UTC."
        if let network = filter.network { origin += " Of ad network <bdi>\(network)</bdi> alone." }
        if let app = filter.app { origin += " Of app \("\(app)" as Message) alone." }
        if let from = filter.from { origin += " Arrived from \(utcTime(from)) on." }
        if let to = filter.to { origin += " Arrived before \(utcTime(to))." }
        return origin
    }

    private var period: HTML {
        guard let arrived = tally.arrived else { return "No postback was counted. " }
        var period: HTML = """
            \(tally.counted.readable) postbacks arrived from \(utcDay(arrived.first)) to \(utcDay(arrived.last)).
            """
        if let installed = total.counts[dates: .installs] {
            period += " Installs from about \(utcDay(installed.from)) to \(utcDay(installed.untilUnlocked))."
        }
        if let reengaged = total.counts[dates: .reengagements] {
            period += " Re-engagements from about \(utcDay(reengaged.from)) to \(utcDay(reengaged.untilUnlocked))."
        }
        return "\(period) "
    }
}

/// Returns the range of dates as text: "2026-01-28 to 2026-01-29; to 2026-01-31 if locked".
func rangeText(_ dates: EstimatedDates) -> Message {
    "\(utcDay(dates.from)) to \(utcDay(dates.untilUnlocked)); to \(utcDay(dates.until)) if locked"
}
