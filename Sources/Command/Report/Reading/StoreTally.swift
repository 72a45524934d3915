internal import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANPostbackReceiving
internal import SKANPostbackVerification
internal import SKANSystem

/// Counts the postbacks of a store.
struct StoreTally {
    var tally = Tally()
    /// Records that could not be read; they were named.
    private(set) var damaged: UInt64 = 0
    /// Records of a receiver, the outbox's too.
    private(set) var own: UInt64 = 0
    private(set) var others = RecordCounts()
    /// nil where the store lists each key once.
    private var seen: SeenKeys?
    private let filter: ReportFilter
    private let models: RevenueModels
    private let campaigns: Campaigns

    init(_ filter: ReportFilter, _ models: RevenueModels, _ campaigns: Campaigns, listsEachKeyOnce: Bool) {
        self.filter = filter
        self.models = models
        self.campaigns = campaigns
        seen = listsEachKeyOnce ? nil : SeenKeys()
    }

    /// Counts what is loaded of a batch.
    mutating func add(_ batch: RecordBatch) {
        for index in 0..<batch.count where batch.status(index) == .ok { add(batch.record(index), batch.key(index)) }
    }

    /// Ends the tally, with the costs of campaigns.
    mutating func end() {
        tally.addCosts(campaigns, filter.network)
        tally.end()
    }

    private mutating func add(_ record: Bytes, _ key: Bytes) {
        let kind = RecordKind(of: record, under: key)
        guard isPostback(key, kind), seen?.add(key) != false else { return }
        do throws(Failure) {
            let (record, body) = try PostbackRecord.read(record)
            let postback = VerifiedPostback(restoring: body, record.verdict)
            add(Sighting(record, of: postback), kind)
        } catch {
            complainOfDamage(key, error.message)
        }
    }

    private mutating func add(_ sighting: Sighting, _ kind: RecordKind) {
        guard filter.takes(sighting) else { return }
        if kind == .postback, sighting.isCounted {
            tally.add(sighting, models, campaigns)
        } else {
            tally.add(apart: sighting)
        }
    }

    /// Whether it is a postback's; others are counted.
    private mutating func isPostback(_ key: Bytes, _ kind: RecordKind) -> Bool {
        guard kind == .postback || kind == .apart else {
            if kind == .outbox { own &+= 1 } else { others.count(kind) }
            return false
        }
        own &+= 1
        guard let problem = kind.nameProblem(key) else { return true }
        complainOfDamage(key, "wrong name: \(problem)")
        return false
    }

    private mutating func complainOfDamage(_ key: Bytes, _ why: Message) {
        damaged &+= 1
        complain(Message(utf8: [UInt8](key)), why)
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
