internal import SKANCommandRows
internal import SKANCore
internal import SKANTruth

/// A report on the postbacks in a store.
package struct Report {
    /// Its URL without the password.
    let store: Message
    /// Unix seconds.
    let madeAt: Int64
    let filter: ReportFilter
    let tally: Tally
    /// The currency of revenue and costs; nil if there is none.
    let currency: Currency?
    /// What the models that were given say of values; nil without models.
    var meanings: ValueMeanings?
    /// What costs in other currencies were converted by.
    var costRates: [CostRate] = []
    /// The sums of costs that are counted, and of those that are not.
    var costs = CountedCosts.none
    /// Whether models were given, so that amounts of revenue can be there.
    let hasRevenue: Bool
    /// What estimates rest on; nil where none were asked for.
    let basis: BroughtBasis?
    /// The store of the app's own installs, without a password.
    var installsStore: Message = ""
    /// A return on ad spend that was asked for.
    var target: ReturnTarget?
    /// The opens that the app reported; nil where they were not asked for.
    var opens: ReportedOpens?
    /// What lines below networks are of.
    var dimension = ReportDimension.campaign
    /// The total, then each network with its campaigns, each with its ad sets.
    let lines: [ReportLine]

    /// The first line.
    var total: ReportLine { lines.first ?? ReportLine(level: .total) }
    /// Whether texts extrapolate what values tell to hidden values; with the app's own installs there are estimates.
    var isExtrapolated: Bool { basis == nil }
    /// The horizons that tables and page show: those after the windows only if own installs are old enough.
    var horizons: [Horizon] {
        Horizon.allCases.filter { !Horizon.afterWindows.contains($0) || total.brought?[$0].figure != nil }
    }
    /// What the networks are called, in their order.
    var networkTitles: [Message] {
        lines.filter { $0.level == .network }.map { Message(utf8: $0.networkTitle) }
    }

    var hasCosts: Bool { total.counts.cost != nil }
    var hasReengagements: Bool { total.counts.hasReengagements }
    /// The sentence for a report in which values stand for no revenue.
    var withoutModels: Message {
        "No model was given, so there is no revenue: --model FILE says what values stand for."
    }
    /// The currency's three letters; empty if there is none.
    var currencyText: Message { currency.map { Message(writing: $0.write) } ?? "" }
}
