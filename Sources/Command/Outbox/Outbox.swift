import CSKANSupport
package import SKANCommandRows
package import SKANCommandStores
package import SKANCore
package import SKANPostbackVerification
import SKANSystem

/// The outbox reports counted postbacks to partners, at least once each, whatever fails meanwhile.
///
/// The record of a counted postback decides. Entries for its partners are written before it, as prepared, and are
/// reported only once the postback is counted. So nothing is lost, and nothing uncounted is reported, whether a process
/// ends before or after counting. A worker takes an entry by moving its due time (compare and set), so that any number
/// of processes can share a store; if a worker dies, its entries are soon due again. A reported entry is removed. After
/// a crash a partner may receive a postback again, with the same id.
package final class Outbox: @unchecked Sendable {
    private let preparation: OutboxPreparation
    private let context: OutboxContext
    private let worker: OutboxWorker
    private let campaigns: Campaigns

    /// Starts to report the store's entries to partners, until `stop`.
    ///
    /// - Parameters:
    ///   - durable: The store of postbacks; prepared entries are saved durably.
    ///   - relaxed: The same store, for changes that a power failure may undo, since they are repeated.
    ///   - campaigns: The names of campaigns for the rows.
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

    /// Replaces the networks and models for entries reported from now on. Entries for a removed partner are left to
    /// other servers on the store for a day, and then given up.
    package func replace(_ networks: Networks, _ models: PartnerModels) {
        context.traffic.replace(OutboxSources(networks, models, campaigns))
    }

    /// Takes no more entries, waits at most this many milliseconds for calls under way, and ends.
    package func stop(grace: Int64) { worker.stop(by: millisecondsNow() + grace) }

    /// The metrics in Prometheus' text form. May be called on any thread.
    package var metrics: Message {
        let (known, underWay) = context.traffic.counts
        return context.counts.metrics(known: known, underWay: underWay)
    }

    // MARK: Preparing

    /// Writes the entries of a valid postback before it is counted, as `OutboxPreparation` does.
    @export(interface)
    package func prepare(
        _ postback: VerifiedPostback, for network: Network
    ) throws(Failure) -> PreparedPostback? { try preparation.prepare(postback, for: network) }

    /// Notifies the partners of a counted postback now. Throws if counting took so long that its entries may have been
    /// given up and could not be written again. May be called on any thread.
    @export(interface)
    package func activate(_ prepared: PreparedPostback) throws(Failure) {
        let now = support_now()
        defer { context.traffic.activate(prepared.keys, due: now) }
        if now - prepared.moment > givenUpAfter / 2 { try preparation.write(prepared.keys) }
    }
}
