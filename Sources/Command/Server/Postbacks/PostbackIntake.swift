import SKANCommandOutbox
import SKANCommandOutput
import SKANCommandRows
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANStorePool
import SKANSystem

/// Receives postbacks: each is verified once, prepared for its network's partners, counted, and reported to them.
final class PostbackIntake: @unchecked Sendable {
    let served: ServedConfiguration
    let health: StoreHealth
    var storeName: Message { store.name }
    private let store: OpenStore
    private let storing: PostbackStoring
    private let clock: ServerClock
    /// nil if there are no networks.
    private let outbox: Outbox?
    private let sweep: RefusedSweep
    private let shares: UnverifiableShares
    private let arrivals = PostbackArrivals()
    private let onlyApp = OnlyApp()
    private let log: ServerLog

    /// Opens the store at `url`, and starts the sweep of refused postbacks and the outbox.
    convenience init(
        _ options: PostbackOptions, at url: CText, _ served: ServedConfiguration, _ clock: ServerClock, _ log: ServerLog
    ) throws(CommandEnd) {
        let report: (Failure) -> Void = { log.trouble("store", $0.message) }
        let store = try OpenStore.open(url, for: .fills, report: report)
        let relaxed = try OpenStore.open(url, for: .removes, report: report)
        let configuration = served.current
        let sweep = RefusedSweep(relaxed, configuration.receiver.refused, olderThan: options.refusedDays, clock, log)
        var outbox: Outbox?
        do throws(Failure) {
            outbox = try configuration.networks.map { networks throws(Failure) in
                try Outbox(
                    options.outbox, durable: store, relaxed: relaxed, networks: networks,
                    models: configuration.partnerModels, campaigns: options.campaigns
                ) { log.event($0, $1) }
            }
        } catch {
            throw .complaint("--networks", error.message)
        }
        self.init(store, served, clock, outbox, sweep, log)
        sweep.start()
    }

    private init(
        _ store: OpenStore, _ served: ServedConfiguration, _ clock: ServerClock, _ outbox: Outbox?,
        _ sweep: RefusedSweep, _ log: ServerLog
    ) {
        self.store = store
        health = StoreHealth("postbacks", store.records)
        storing = PostbackStoring(store.records, health)
        self.served = served
        self.clock = clock
        self.outbox = outbox
        self.sweep = sweep
        self.log = log
        shares = UnverifiableShares(served.current.receiver.refused)
    }

    /// Replaces the outbox's networks and models before requests use the next configuration.
    func prepare(for next: ServerConfiguration) {
        if let networks = next.networks { outbox?.replace(networks, next.partnerModels) }
    }

    /// Stops the sweep and the outbox, after the server has stopped. Calls to partners may take at most
    /// `graceMilliseconds`.
    func stop(graceMilliseconds: Int64) {
        sweep.stop()
        outbox?.stop(grace: graceMilliseconds)
    }

    /// The metrics in Prometheus' text form.
    var metrics: Message { "\(arrivals.metrics)\(sweep.metrics)\(outbox?.metrics ?? "")" }

    /// `network`: the network that forwarded the postback; nil for Apple's devices. Throws if the postback has to be
    /// sent again.
    func take(
        _ body: Bytes, from network: Network?, of client: ClientAddress, _ configuration: ServerConfiguration
    ) throws(Failure) -> PostbackEnd {
        let receiver = configuration.receiver
        let postback = try receiver.verified(body)
        let id = postback.textUntilNUL(.adNetworkID) ?? []
        let isItsOwn = network?.has(id) ?? true
        let sender = network.map { isItsOwn ? id : $0.adNetworks.first ?? [] } ?? []
        let now = clock.microseconds
        guard now >= 0 else { throw Failure(.clock, "clock: expected microseconds since 1970, got \(now)") }
        var kind = UnverifiableSender.anybody
        if postback.result == .unverifiable {
            let bytes = RefusedSort.bytes(ofBody: body.count)
            guard let taken = shares.take(client.client, bytes, at: now) else {
                return PostbackEnd(outcome: .refused, result: .unverifiable, isKept: false)
            }
            kind = taken
        }
        var reception = receiver.arrived(postback, from: sender, at: now, try .draw(), of: kind)
        if let problem = onlyApp.problem(with: reception, configuration) {
            if onlyApp.isNew(postback.integer(.appID)) {
                log.event("model", "postbacks are kept undecoded: \(problem)", .warning)
            }
            reception = receiver.arrived(postback, from: sender, at: now, try .draw(), of: kind, decodes: false)
        }
        var prepared: PreparedPostback?
        if let outbox, reception.isToBeCounted, let told = network ?? configuration.networks?.network(ofAdNetwork: id) {
            prepared = try outbox.prepare(postback, for: told)
        }
        try storing.store(reception)
        // The entries are activated even if another copy of the postback was counted meanwhile, since that copy relies
        // on them too.
        if let outbox, let prepared { try outbox.activate(prepared) }
        let end = PostbackEnd(outcome: reception.record.outcome, result: postback.result, isKept: reception.isKept)
        if end.isCounted {
            arrivals.add(id, version: postback.version, at: now / 1_000_000, PostbackQuality(of: postback))
        }
        return end
    }
}

/// The result of receiving a postback.
struct PostbackEnd {
    let outcome: PostbackOutcome
    let result: PostbackResult
    /// Whether a record holds the postback.
    let isKept: Bool

    fileprivate var isCounted: Bool { outcome == .counted && result == .valid }
}

extension PostbackOptions {
    var scope: PostbackScope { PostbackScope(apps: apps, adNetworks: adNetworks.flatMap { $0 + [0] }) }
}
