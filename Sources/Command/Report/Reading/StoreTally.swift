import SKANCommandOutput
import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification

/// Counts the postbacks of a store.
struct StoreTally {
    var tally: Tally
    private(set) var apps = AppTallies()
    let postbacks: StoredPostbacks
    private let filter: ReportFilter
    private let models: RevenueModels
    private let campaigns: Campaigns
    private let costs: CountedCosts
    /// The reason why the given models cannot decode the postbacks, which ends the report; nil if they can.
    private(set) var refusal: CommandEnd?

    init(
        _ filter: ReportFilter, _ models: RevenueModels, _ campaigns: Campaigns, _ costs: CountedCosts,
        _ dimension: ReportDimension, listsEachKeyOnce: Bool
    ) {
        tally = Tally(dimension)
        self.filter = filter
        self.models = models
        self.campaigns = campaigns
        self.costs = costs
        postbacks = StoredPostbacks(listsEachKeyOnce: listsEachKeyOnce)
    }

    mutating func add(_ batch: RecordBatch) {
        postbacks.read(batch) { add(ObservedPostback($0.record, of: $0.postback, models), $0.kind) }
    }

    /// Adds the costs of campaigns, and ends the tally.
    mutating func end() {
        tally.add(costs, campaigns)
        tally.end()
    }

    private mutating func add(_ observed: ObservedPostback, _ kind: RecordKind) {
        guard filter.takes(observed) else { return }
        if kind == .postback, observed.isCounted {
            if refusal != nil { return }
            do throws(CommandEnd) { try models.check(observed) } catch { refusal = error }
            if filter.app == nil {
                if apps.isSecond(observed.app) { apps.divide(tally) }
                apps.add(observed, models, campaigns)
            }
            tally.add(observed, models, campaigns)
        } else {
            apps.add(refused: observed)
            tally.add(refused: observed)
        }
    }
}

extension ReportFilter {
    fileprivate func takes(_ observed: ObservedPostback) -> Bool {
        if let from, observed.received < from { return false }
        if let to, observed.received >= to { return false }
        if let app, observed.app != app { return false }
        return network.map { observed.network == $0 } ?? true
    }
}
