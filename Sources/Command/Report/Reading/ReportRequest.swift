package import SKANCommandOutput
package import SKANCommandStores
internal import SKANCore

/// What a report is asked for.
package struct ReportRequest {
    package var filter = ReportFilter()
    package var models = RevenueModels()
    package var campaigns = Campaigns.none
    /// The app's own installs, from which is estimated what campaigns brought; nil: that is not asked for.
    package var installs: OpenStore?
    package var dimension = ReportDimension.campaign
    /// What estimates are compared with; nil: nothing.
    package var target: ReturnTarget?
    /// What the report says of when it was made, Unix seconds.
    package var madeAt: Int64

    package init(madeAt: Int64) { self.madeAt = madeAt }

    /// Reads a store. The code is that of something found where a record could not be read, which was said.
    @export(interface)
    package func read(_ store: OpenStore) throws(CommandEnd) -> (report: Report, code: ExitCode) {
        var counting = StoreTally(filter, models, campaigns, dimension, listsEachKeyOnce: store.listsEachKeyOnce)
        if installs != nil { counting.tally.installValues = PostbackValues() }
        let walk = StoredPostbacks.walk(store, printsData: false) { batch in
            counting.add(batch)
            return true
        }
        if installs != nil { counting.postbacks.leaveInstallsUntold() }
        var code = try counting.postbacks.end(walk, store, what: "report", it: "it")
        counting.end()
        var lines = ReportLines(counting.tally, campaigns, dimension)
        var basis: BroughtBasis?
        if let installs {
            let groups = try InstallGroups.read(installs, models, now: madeAt)
            if groups.left.damaged > 0 { code = .found }
            basis = lines.add(
                what: &counting.tally, groups, models, installs.name, target, campaigns,
                isWhole: filter.from == nil && filter.to == nil)
        }
        counting.tally.dropLines()
        return (try report(of: counting.tally, lines, store, basis), code)
    }

    private func report(
        of tally: Tally, _ lines: ReportLines, _ store: OpenStore, _ basis: BroughtBasis?
    ) throws(CommandEnd) -> Report {
        guard !lines.isFull else {
            throw .complaint("report", "a sum of money is larger than this command can tell exactly")
        }
        return Report(
            store: store.name, madeAt: madeAt, filter: filter, tally: tally,
            currency: models.currency ?? campaigns.currency, meanings: models.isEmpty ? nil : ValueMeanings(models),
            costRates: campaigns.rates, hasRevenue: !models.isEmpty,
            basis: basis, target: target, dimension: dimension,
            lines: lines.lines)
    }
}
