import CSKANSupport
package import SKANCommandRows
package import SKANCommandStores
package import SKANCore
package import SKANPostbackVerification
import SKANSystem

/// The outbox reports each counted postback to its network's partners at least once, whatever fails meanwhile.
///
/// Before a postback is counted, an entry for each of its partners is saved in the state "prepared". An entry is
/// reported only once the store has the record of its counted postback. So no counted postback is missed and no
/// uncounted one is reported, whether a process ends before or after counting. A worker takes an entry by moving the
/// entry's due time (compare and set), so that any number of processes can share a store; if a worker dies, the entries
/// that it took are soon due again. A reported entry is removed. After a crash a partner may receive a postback again,
/// with the same id.
package final class Outbox: @unchecked Sendable {
    private let preparation: OutboxPreparation
    private let context: OutboxContext
    private let worker: OutboxWorker
    private let campaigns: Campaigns

    /// Starts reporting the store's entries to partners, which continues until `stop`.
    ///
    /// - Parameters:
    ///   - durable: The store of postbacks, opened so that prepared entries are saved durably.
    ///   - relaxed: The same store, opened with relaxed durability, for all other changes: one lost in a power failure
    ///     is simply made again.
    ///   - campaigns: The names of campaigns for the rows that partners receive.
    @export(interface)
    package convenience init(
        _ settings: OutboxSettings, durable: OpenStore, relaxed: OpenStore, networks: Networks,
        models: PartnerModels, campaigns: Campaigns = .none, log: @escaping OutboxLog
    ) throws(Failure) {
        let context = OutboxContext(settings, relaxed, OutboxSources(networks, models, campaigns), log)
        self.init(OutboxPreparation(durable, settings), context, try OutboxWorker(context), campaigns)
        try worker.start()
    }

    private init(
        _ preparation: OutboxPreparation, _ context: OutboxContext, _ worker: OutboxWorker, _ campaigns: Campaigns
    ) {
        self.preparation = preparation
        self.context = context
        self.worker = worker
        self.campaigns = campaigns
    }

    /// Replaces the networks and models. Attempts begun earlier keep the old ones. Entries for a removed partner are
    /// left to other servers on the store for a day, and then given up.
    package func replace(_ networks: Networks, _ models: PartnerModels) {
        context.traffic.replace(OutboxSources(networks, models, campaigns))
    }

    /// Stops taking entries, waits at most `grace` milliseconds for calls under way, and ends the worker.
    package func stop(grace: Int64) { worker.stop(by: millisecondsNow() + grace) }

    /// The metrics in Prometheus' text form. May be called on any thread.
    package var metrics: Message {
        let (known, underWay) = context.traffic.counts
        return context.counts.metrics(known: known, underWay: underWay)
    }

    // MARK: Preparing

    /// Writes the entries of a valid postback before it is counted. See `OutboxPreparation.prepare`.
    @export(interface)
    package func prepare(
        _ postback: VerifiedPostback, for network: Network
    ) throws(Failure) -> PreparedPostback? { try preparation.prepare(postback, for: network) }

    /// Hands the entries of a postback that was just counted to the worker, which reports them at once. Throws if
    /// counting took so long that the entries may have been given up, and they cannot be written again. May be called
    /// on any thread.
    @export(interface)
    package func activate(_ prepared: PreparedPostback) throws(Failure) {
        let now = support_now()
        defer { context.traffic.activate(prepared.keys, due: now) }
        if now - prepared.moment > givenUpAfter / 2 { try preparation.write(prepared.keys) }
    }
}
