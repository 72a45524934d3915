import SKANCommandOutput
import SKANCommandRows
import SKANCore

extension Report {
    /// Says when and from what the page was made, and which time it covers.
    var introduction: HTML {
        "\(origin)\(period)"
    }

    /// Remarks on the facts, shown below them.
    var remarks: HTML {
        let rates = HTML.each(costRates) { "<p>\($0.sentence(to: currencyText))</p>\n" }
        let costs = HTML.each(costSentences) { "<p>\($0)</p>\n" }
        return hasRevenue ? "\(rates)\(costs)" : "\(rates)\(costs)<p>\(withoutModels)</p>\n"
    }

    private var origin: HTML {
        var origin: HTML = "<p>Made \(utcTime(madeAt)) from <bdi>\(store)</bdi>. Times are UTC."
        if let network = filter.network { origin += " Of ad network <bdi>\(network)</bdi> alone." }
        if let app = filter.app { origin += " Of app \("\(app)" as Message) alone." }
        if let from = filter.from { origin += " Arrived from \(utcTime(from)) on." }
        if let to = filter.to { origin += " Arrived before \(utcTime(to))." }
        origin += "</p>\n"
        return origin
    }

    private var period: HTML {
        guard let arrived = tally.arrived else { return "<p>No postback was counted.</p>\n" }
        let (installed, reengaged) = (total.counts[dates: .installs], total.counts[dates: .reengagements])
        var period: HTML = """
            <p>\(tally.counted.readable) postbacks were counted, which arrived from \(utcTime(arrived.first)) to \
            \(utcTime(arrived.last)).
            """
        if let installed { period += " The installs were made from \(rangeText(installed))." }
        if let reengaged { period += " The re-engagements happened from \(rangeText(reengaged))." }
        if installed != nil || reengaged != nil {
            period += " Postbacks do not say when: this is estimated from their arrival."
        }
        period += "</p>\n"
        return period
    }
}
