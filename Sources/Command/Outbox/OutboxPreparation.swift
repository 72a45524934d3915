import CSKANSupport
package import SKANCommandStores
package import SKANCore
package import SKANPostbackVerification
import SKANStorePool
import SKANSystem

/// Writes the outbox entries of postbacks before the postbacks are counted. The outbox of any process on the store
/// reports them. Thread-safe.
package final class OutboxPreparation: @unchecked Sendable {
    private let durable: OpenStore
    private let saver: GroupSaver<PreparedEntries>
    private let lease: Int64

    /// `durable`: the store of postbacks, opened so that entries are saved durably.
    package init(_ durable: OpenStore, _ settings: OutboxSettings = OutboxSettings()) {
        self.durable = durable
        saver = PreparedEntries.saver(over: durable)
        lease = settings.lease
    }

    /// Writes the entries of a valid postback before it is counted. Returns nil if the postback's network has no
    /// partners or the postback was counted before. Throws if it is uncertain whether the entries are in the
    /// store; the postback must then not be counted. May be called on any thread.
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
        case .ok: return nil  // It was counted before, and its entries were written then.
        case .notFound: break
        default: throw notWritten
        }
        try write(prepared.keys)
        return prepared
    }

    /// Writes prepared entries under the keys; entries that exist are kept.
    func write(_ keys: [[UInt8]]) throws(Failure) {
        let now = support_now()
        let entry = OutboxEntry(.prepared, attempts: 0, created: now, due: now + lease)
        guard saver.save(PreparedEntries(keys, entry)).areThere else { throw notWritten }
    }
}

private var notWritten: Failure { Failure(.store, "entries of the outbox could not be written") }

/// A postback whose entries are written, so that the postback can now be counted.
package struct PreparedPostback: Sendable {
    /// One for each partner.
    let keys: [[UInt8]]
    /// The time at which preparing began, in microseconds since 1970.
    let moment: Int64

    fileprivate init(names: [OutboxEntryName], at moment: Int64) {
        keys = names.map { $0.key }
        self.moment = moment
    }
}
