internal import SKANCommandOutput
internal import SKANCore

/// The report as comma-separated values: of each line a row of all windows, and one of each.
extension Report {
    func printCSV() {
        StandardOutput.write("\(header)\(basis == nil ? "" : broughtHeader)\r\n")
        for line in lines {
            var writer = CSVWriter()
            write(line, nil, to: &writer)
            for window in Window.all { write(line, window, to: &writer) }
        }
    }

    /// Writes a line. Conversions are reported where they are counted: for all windows, nil, and for the first one.
    private func write(_ line: ReportLine, _ window: Window?, to row: inout CSVWriter) {
        let figures = Figures(line.counts, .installs, in: window)
        let whole = window == nil ? line : nil
        let areConversionsReported = window == nil || window == .first
        row.plain("\(line.level.name(line.dimension))")
        row.text(line.network)
        row.text(line.identifier)
        row.text(line.name)
        row.text(line.adSet)
        row.plain(window.map { "\($0.rawValue)" } ?? "all")
        row.count(figures.winning)
        for conversion in [AdConversion.install, .redownload, .reengagement] {
            row.count(areConversionsReported ? figures.conversions[conversion] : nil)
        }
        row.count(figures.lost)
        row.values(figures)
        row.known(whole?.counts.cost?.exactText)
        row.known(whole?.costPerInstall(places: 4))
        row.known(whole?.returnOnAdSpendAtLeast(places: 4))
        row.known(whole?.returnOnAdSpendExtrapolated(places: 4))
        row.dates(areConversionsReported ? line.counts[dates: .installs] : nil)
        row.plain(currencyText)
        row.reengagements(line.counts, window)
        row.text(line.networkName)
        if basis != nil { row.write(whole?.brought, cost: line.paid.cost) }
        StandardOutput.write(row.endRow())
    }
}

extension CSVWriter {
    fileprivate mutating func text(_ text: [UInt8]?) { (text ?? []).withUnsafeBytes { self.text($0) } }

    fileprivate mutating func known(_ text: Message?) { plain(text ?? "") }

    fileprivate mutating func count(_ count: UInt64?) { known(count.map { "\($0)" }) }

    fileprivate mutating func values(_ figures: Figures) {
        count(figures.fine)
        count(figures.coarse)
        count(figures.hidden)
        known(figures.hiddenShare(places: 4))
        count(figures.priced)
        known(figures.least?.exactText)
        known(figures.most?.exactText)
        known(figures.estimate?.exactText)
        known(figures.extrapolated?.text(places: 2))
    }

    fileprivate mutating func dates(_ dates: EstimatedDates?) {
        known(dates.map { utcTime($0.from) })
        known(dates.map { utcTime($0.untilUnlocked) })
        known(dates.map { utcTime($0.until) })
    }

    fileprivate mutating func reengagements(_ counts: LineCounts, _ window: Window?) {
        let figures = Figures(counts, .reengagements, in: window)
        count(figures.winning)
        count(figures.lost)
        values(figures)
        dates(window == nil || window == .first ? counts[dates: .reengagements] : nil)
    }
}

extension ReportLevel {
    fileprivate func name(_ dimension: ReportDimension) -> StaticString {
        switch self {
        case .total: "total"
        case .network: "network"
        case .campaign: dimension.word
        case .adSet: "ad set"
        }
    }
}

private var header: Message {
    """
    level,network,identifier,campaign,ad_set,window,winning,installs,redownloads,reengagements,not_winning,\
    fine_values,coarse_values,hidden_values,hidden_share,known_revenue_values,revenue_min,revenue_max,\
    revenue_estimate,revenue_extrapolated,cost,cost_per_install,return_on_ad_spend_min,\
    return_on_ad_spend_extrapolated,\
    installed_from,installed_until,installed_until_if_locked,currency,\
    reengagement_winning,reengagement_not_winning,reengagement_fine_values,reengagement_coarse_values,\
    reengagement_hidden_values,reengagement_hidden_share,reengagement_known_revenue_values,\
    reengagement_revenue_min,reengagement_revenue_max,reengagement_revenue_estimate,\
    reengagement_revenue_extrapolated,\
    reengaged_from,reengaged_until,reengaged_until_if_locked,network_name
    """
}
