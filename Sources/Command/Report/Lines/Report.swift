import SKANCommandRows
import SKANCore
import SKANTruth

/// A report on the postbacks in a store.
package struct Report {
    /// The store's URL without the password.
    let store: Message
    /// Unix seconds.
    let madeAt: Int64
    let filter: ReportFilter
    let tally: Tally
    var quality = DataQuality()
    /// The currency of revenue and costs; nil if there is none.
    let currency: Currency?
    /// nil without models.
    var meanings: ValueMeanings?
    /// The rates by which costs in other currencies were converted.
    var costRates: [CostRate] = []
    var costs = CountedCosts.none
    /// Whether models were given, so that revenue can be shown.
    let hasRevenue: Bool
    /// The basis of the estimates; nil if no estimates were asked for.
    let basis: BroughtBasis?
    /// The URL of the store of the app's own installs, without the password.
    var installsStore: Message = ""
    var target: ReturnTarget?
    /// nil if opens were not asked for.
    var opens: ReportedOpens?
    /// A report on each app alone; empty if there is only one app.
    var apps: [Report] = []
    var dimension = ReportDimension.campaign
    /// The total, then each network, followed by its campaigns, each followed by its ad sets.
    let lines: [ReportLine]

    var total: ReportLine { lines.first ?? ReportLine(level: .total) }
    /// Whether the revenue of installs with hidden values is extrapolated from known values. If a store of installs is
    /// given, revenue is estimated instead.
    var isExtrapolated: Bool { basis == nil }
    /// The horizons shown in tables and on the page. Horizons after the last window are included only if the total has
    /// an estimate for them.
    var horizons: [Horizon] {
        Horizon.allCases.filter { !Horizon.afterWindows.contains($0) || total.brought?[$0].figure != nil }
    }
    /// The titles of the networks, in the order of their lines.
    var networkTitles: [Message] {
        lines.filter { $0.level == .network }.map { Message(utf8: $0.networkTitle) }
    }

    var hasCosts: Bool { total.counts.cost != nil }
    var hasReengagements: Bool { total.counts.hasReengagements }
    var withoutModels: Message {
        "No model was given, so there is no revenue: --model FILE says what values stand for."
    }
    /// The three letters of the currency; empty if there is none.
    var currencyText: Message { currency.map { Message(writing: $0.write) } ?? "" }
}
