internal import CSKANSupport
package import SKANCommandReport
package import SKANCommandStores
package import SKANCore
package import SKANPostbackVerification
internal import SKANStorePool
internal import SKANSystem

/// The outbox: partners are told of counted postbacks, at least once, whatever fails meanwhile.
///
/// The record of a counted postback is what decides. Entries for its partners are written before it, prepared, and are
/// told only where the postback is counted: whether a process ends before or after counting, nothing is lost, and what
/// was never counted is never told. A worker takes an entry by moving its due time (compare and set), so that any
/// number of processes may share a store; one that dies leaves an entry that is due again soon. An entry that was told
/// is removed. A partner may be told again after a crash, with the same id.
package final class Outbox: @unchecked Sendable {
    private let durable: OpenStore
    private let saver: GroupSaver<PreparedEntries>
    private let context: OutboxContext
    private let worker: OutboxWorker
    private let campaigns: Campaigns

    /// Starts to report the entries in the store to partners, until `stop`.
    ///
    /// - Parameters:
    ///   - durable: The store of postbacks; prepared entries are saved durably.
    ///   - relaxed: The same store, for changes that a power failure may undo: they are repeated.
    ///   - campaigns: The names of campaigns, which rows carry.
    @export(interface)
    package convenience init(
        _ settings: OutboxSettings, durable: OpenStore, relaxed: OpenStore, networks: Networks,
        models: PartnerModels, campaigns: Campaigns = .none, log: @escaping OutboxLog
    ) throws(Failure) {
        let context = OutboxContext(settings, relaxed, OutboxSources(networks, models, campaigns), log)
        self.init(durable, context, try OutboxWorker(context), campaigns)
        try worker.start()
    }

    private init(_ durable: OpenStore, _ context: OutboxContext, _ worker: OutboxWorker, _ campaigns: Campaigns) {
        self.durable = durable
        saver = PreparedEntries.saver(over: durable)
        self.context = context
        self.worker = worker
        self.campaigns = campaigns
    }

    /// Replaces the networks and models: from now on others are told, or in another way. What waits for a partner that
    /// is gone is left to other servers on the store for a day, and then given up.
    package func replace(_ networks: Networks, _ models: PartnerModels) {
        context.traffic.replace(OutboxSources(networks, models, campaigns))
    }

    /// Takes nothing more, waits for what is under way, at most so many milliseconds, and ends.
    package func stop(grace: Int64) { worker.stop(by: millisecondsNow() + grace) }

    /// The metrics in Prometheus' text form. Any thread.
    package var metrics: Message {
        let (known, underWay) = context.traffic.counts
        return context.counts.metrics(known: known, underWay: underWay)
    }

    // MARK: Preparing

    /// Writes the entries of a valid postback before it is counted. nil if there is nobody to notify, or it was counted
    /// before. Throws if the postback must not be counted. Any thread.
    @export(interface)
    package func prepare(
        _ postback: VerifiedPostback, for network: Network
    ) throws(Failure) -> PreparedPostback? {
        guard let key = postback.key, !network.partners.isEmpty else { return nil }
        let prepared = PreparedPostback(
            names: network.partners.compactMap { partner in
                OutboxEntryName(postback: key, network: network.name, partner: partner.name)
            }, at: support_now())
        switch durable.load(key).status {
        case .ok: return nil  // Counted before, with its entries.
        case .notFound: break
        default: throw notWritten
        }
        try write(prepared.keys)
        return prepared
    }

    /// Notifies the partners of a postback at once, after it was counted. Throws if counting took so long that its
    /// entries may have been given up, and they could not be written again. Any thread.
    @export(interface)
    package func activate(_ prepared: PreparedPostback) throws(Failure) {
        let now = support_now()
        defer { context.traffic.activate(prepared.keys, due: now) }
        if now - prepared.moment > givenUpAfter / 2 { try write(prepared.keys) }
    }

    /// Those that are there stay as they are.
    private func write(_ keys: [[UInt8]]) throws(Failure) {
        let now = support_now()
        let entry = OutboxEntry(.prepared, attempts: 0, created: now, due: now + context.settings.lease)
        guard saver.save(PreparedEntries(keys, entry)).areThere else {
            throw notWritten
        }
    }
}

private var notWritten: Failure { Failure(.store, "entries of the outbox could not be written") }

/// A postback whose entries were written, and that may be counted now.
package struct PreparedPostback: Sendable {
    /// The keys of its entries, one for each partner.
    let keys: [[UInt8]]
    /// Microseconds since 1970.
    let moment: Int64

    fileprivate init(names: [OutboxEntryName], at moment: Int64) {
        keys = names.map { $0.key }
        self.moment = moment
    }
}
