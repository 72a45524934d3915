package import SKANCommandOutput
package import SKANCommandRows
package import SKANCommandStores
import SKANCore
import SKANTruth

/// The inputs and options of a report.
package struct ReportRequest {
    package var filter = ReportFilter()
    package var models = RevenueModels()
    package var campaigns = Campaigns.none
    /// The store of the app's own installs, from which campaign revenue is estimated; nil for no estimates.
    package var installs: OpenStore?
    /// The store of installs whose opens are shown next to re-engagements; nil for none.
    package var opens: OpenStore?
    package var dimension = ReportDimension.campaign
    package var target: ReturnTarget?
    /// Unix seconds.
    package var madeAt: Int64

    package init(madeAt: Int64) { self.madeAt = madeAt }

    /// Reads a store and makes the report. The code is `.found` if a record could not be read; the error has then been
    /// printed already.
    @export(interface)
    package func read(_ store: OpenStore) throws(CommandEnd) -> (report: Report, code: ExitCode) {
        let costs = CountedCosts(campaigns, filter, madeAt: madeAt, by: dimension)
        var counting = StoreTally(filter, models, campaigns, costs, dimension, listsEachKeyOnce: store.listsEachKeyOnce)
        if installs != nil { counting.tally.installValues = PostbackValues() }
        let walk = StoredPostbacks.walk(store, printsData: false) { batch in
            counting.add(batch)
            return counting.refusal == nil
        }
        if let refusal = counting.refusal { throw refusal }
        if installs != nil { counting.postbacks.leaveInstallsUntold() }
        var code = try counting.postbacks.end(walk, store, what: "report", it: "it")
        counting.end()
        var lines = ReportLines(counting.tally, campaigns, dimension)
        var basis: BroughtBasis?
        var groups = InstallGroups(models, now: madeAt)
        let (reported, isDamaged) = try readInstalls(&groups)
        if isDamaged { code = .found }
        if installs != nil {
            groups.order()
            basis = lines.add(what: &counting.tally, groups, target, costs, filter)
        }
        counting.tally.dropLines()
        var report = try report(of: counting.tally, lines, costs, store, basis)
        report.apps = try reports(of: counting.apps, store)
        report.opens = reported
        if let installs { report.installsStore = installs.name }
        return (report, code)
    }

    /// Returns a report on each app, without estimates; empty if there is only one app.
    private func reports(of apps: AppTallies, _ store: OpenStore) throws(CommandEnd) -> [Report] {
        var reports: [Report] = []
        for app in apps.apps {
            guard var tally = apps[app] else { continue }
            var request = self
            request.filter.app = app
            request.campaigns = campaigns.only(app, andShared: true)
            let own = campaigns.only(app, andShared: false)
            let costs = CountedCosts(own, request.filter, madeAt: madeAt, by: dimension)
            tally.add(costs, campaigns)
            tally.end()
            let lines = ReportLines(tally, request.campaigns, dimension)
            tally.dropLines()
            reports.append(try request.report(of: tally, lines, costs, store, nil))
        }
        return reports
    }

    /// Reads the stores of installs and of opens, in one pass if they are the same store. `isDamaged` is true if a
    /// record could not be read.
    private func readInstalls(
        _ groups: inout InstallGroups
    ) throws(CommandEnd) -> (opens: ReportedOpens?, isDamaged: Bool) {
        var reported = opens.map { ReportedOpens($0.name, from: filter.from, to: filter.to) }
        var isDamaged = false
        if let installs {
            let isForBoth = opens?.name.utf8 == installs.name.utf8
            let read = try StoredInstalls.read(installs) { install in
                groups.add(install)
                if isForBoth { reported?.add(install) }
            }
            groups.add(damaged: read.damaged)
            isDamaged = read.damaged > 0
            if isForBoth { return (reported, isDamaged) }
        }
        if let opens { isDamaged = try StoredInstalls.read(opens) { reported?.add($0) }.damaged > 0 || isDamaged }
        return (reported, isDamaged)
    }

    private func report(
        of tally: Tally, _ lines: ReportLines, _ costs: CountedCosts, _ store: OpenStore, _ basis: BroughtBasis?
    ) throws(CommandEnd) -> Report {
        guard !lines.isFull else {
            throw .complaint("report", "a sum of money is larger than this command can show exactly")
        }
        return Report(
            store: store.name, madeAt: madeAt, filter: filter, tally: tally,
            quality: DataQuality(tally.quality, campaigns, until: min(madeAt, filter.to ?? madeAt)),
            currency: models.currency ?? campaigns.currency, meanings: models.isEmpty ? nil : ValueMeanings(models),
            costRates: campaigns.rates, costs: costs, hasRevenue: !models.isEmpty,
            basis: basis, target: target, dimension: dimension,
            lines: lines.lines)
    }
}
