internal import SKANCommandStores
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification

/// Counts the postbacks of a store.
struct StoreTally {
    var tally: Tally
    let postbacks: StoredPostbacks
    private let filter: ReportFilter
    private let models: RevenueModels
    private let campaigns: Campaigns

    init(
        _ filter: ReportFilter, _ models: RevenueModels, _ campaigns: Campaigns, _ dimension: ReportDimension,
        listsEachKeyOnce: Bool
    ) {
        tally = Tally(dimension)
        self.filter = filter
        self.models = models
        self.campaigns = campaigns
        postbacks = StoredPostbacks(listsEachKeyOnce: listsEachKeyOnce)
    }

    /// Counts what is loaded of a batch.
    mutating func add(_ batch: RecordBatch) {
        postbacks.read(batch) { add(Sighting($0.record, of: $0.postback, models), $0.kind) }
    }

    /// Ends the tally, with the costs of campaigns.
    mutating func end() {
        tally.addCosts(campaigns, filter.network)
        tally.end()
    }

    private mutating func add(_ sighting: Sighting, _ kind: RecordKind) {
        guard filter.takes(sighting) else { return }
        if kind == .postback, sighting.isCounted {
            tally.add(sighting, models, campaigns)
        } else {
            tally.add(apart: sighting)
        }
    }
}

extension ReportFilter {
    fileprivate func takes(_ sighting: Sighting) -> Bool {
        if let from, sighting.received < from { return false }
        if let to, sighting.received >= to { return false }
        if let app, sighting.app != app { return false }
        return network.map { sighting.network == $0 } ?? true
    }
}
