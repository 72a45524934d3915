import SKANCommandOutbox
import SKANCommandOutput
import SKANCommandRows
import SKANCommandServer
import SKANCommandStores
import SKANCore
import SKANPostbackReceiving
import SKANPostbackVerification
import SKANSystem

/// Rules, "Judging again": judges refused postbacks of a store again, by the keys, models, apps and networks that are
/// given now, but at their own times of arrival. A postback that is counted now is stored as counted before its refused
/// record is removed, so a run that is killed can be repeated.
final class RefusedReplay {
    private let store: OpenStore
    /// The same store, opened with relaxed durability: a removal lost in a power failure is made by the next run.
    private let relaxed: OpenStore
    private let configuration: ServerConfiguration
    /// The outbox to which entries for partners are added; nil if partners are not notified.
    private let partners: OutboxPreparation?
    private let storing: ArrivalStoring
    private let onlyApp = OnlyApp()
    private var counts = ReplayCounts()
    private var reason = OneReason()
    /// Whether the run ends because of a postback that the given models must not decode.
    private var isRefused = false

    init(
        _ store: OpenStore, relaxed: OpenStore, _ configuration: ServerConfiguration, _ partners: OutboxPreparation?
    ) {
        self.store = store
        self.relaxed = relaxed
        self.configuration = configuration
        self.partners = partners
        storing = ArrivalStoring(store)
    }

    var hasCounted: Bool { counts.counted > 0 }

    func judge(_ filter: RefusedFilter) throws(CommandEnd) -> ExitCode {
        var order = try RefusedOrder(relaxed, filter)
        Progress.begin(Progress.isSeen(printsData: false), unit: .things("postbacks"), total: UInt64(order.count))
        order.visit(relaxed) { postbacks in
            judge(postbacks)
            Progress.step(counts.judged)
            return !isRefused
        }
        Progress.end()
        let isWhole = !isRefused && !Ending.isEnding
        StandardOutput.line(counts.summary(isWhole: isWhole))
        let isFine = isWhole && order.damaged == 0 && counts.failed == 0
        return reason.tell(store.name, again: true) == .fine && isFine ? .fine : .found
    }

    private func judge(_ postbacks: [RefusedPostback]) {
        var changed: [(refused: RefusedPostback, arrived: ArrivedPostback)] = []
        for refused in postbacks where !isRefused && !Ending.isEnding {
            do throws(Failure) {
                guard let arrived = try judged(refused) else { continue }
                changed.append((refused, arrived))
            } catch {
                fail(refused, error.message)
            }
        }
        storing.store(changed.map { $0.arrived })
        for (refused, arrived) in changed { settle(refused, arrived) }
    }

    /// Judges a postback again. Returns nil if the result is the same as before, or if the postback was cut and cannot
    /// be judged.
    private func judged(_ refused: RefusedPostback) throws(Failure) -> ArrivedPostback? {
        if refused.isCut {
            counts.keep(refused)
            return nil
        }
        let postback = try configuration.receiver.verified(refused.body)
        let id = postback.textUntilNUL(.adNetworkID) ?? []
        let network = configuration.networks?.network(ofAdNetwork: refused.record.network)
        let sender = network?.has(id) ?? false ? id : refused.record.network
        let reception = configuration.receiver.arrived(
            postback, from: sender, at: refused.record.received, try .draw())
        if let problem = onlyApp.problem(with: reception, configuration) {
            complain(Message(utf8: refused.key), problem)
            isRefused = true
            return nil
        }
        let arrived = ArrivedPostback(reception)
        guard reception.isToBeCounted else {
            guard arrived.reason == refused.reason else { return arrived }
            counts.keep(refused)
            reason.count(arrived)
            return nil
        }
        if let partners, let told = network ?? configuration.networks?.network(ofAdNetwork: id) {
            _ = try partners.prepare(postback, for: told)
        }
        return arrived
    }

    private func settle(_ refused: RefusedPostback, _ arrived: ArrivedPostback) {
        if let failure = arrived.failure { return fail(refused, failure.message) }
        reason.count(arrived)
        switch arrived.reception.record.outcome {
        case .counted:
            counts.count(isDuplicate: false)
            remove(refused)
        case .duplicate:
            counts.count(isDuplicate: true)
            remove(refused)
        default:
            counts.keep(refused, as: arrived.reason)
            moveOn(refused, arrived)
        }
    }

    /// Replaces the record of a postback that is refused again, but for another reason.
    private func moveOn(_ refused: RefusedPostback, _ arrived: ArrivedPostback) {
        let isSameKey = arrived.reception.key().array == refused.key
        if !isSameKey {
            if arrived.reception.isKept { remove(refused) }
        } else if arrived.reason != refused.reason {
            _ = refused.key.withUnsafeBytes { key in
                arrived.reception.recordBytes().withBytes { store.save(key, $0, expected: refused.version) }
            }
        }
    }

    /// Removes the record of a refused postback, unless it was removed or changed meanwhile.
    private func remove(_ refused: RefusedPostback) {
        guard refused.key.withUnsafeBytes({ relaxed.remove($0, version: refused.version) }) == .store else { return }
        complain(Message(utf8: refused.key), "could not be removed: \(relaxed.words)")
    }

    private func fail(_ refused: RefusedPostback, _ why: Message) {
        counts.countFailed()
        if counts.failed <= 20 { complain(Message(utf8: refused.key), "could not be judged: \(why)") }
    }
}

/// The numbers of refused postbacks that were judged again, by result.
private struct ReplayCounts {
    private(set) var judged: UInt64 = 0
    private(set) var counted: UInt64 = 0
    private(set) var failed: UInt64 = 0
    private var duplicates: UInt64 = 0
    private var kept = RefusedSums()

    mutating func countFailed() {
        judged += 1
        failed += 1
    }

    mutating func count(isDuplicate: Bool) {
        judged += 1
        if isDuplicate { duplicates += 1 } else { counted += 1 }
    }

    /// Counts a postback that stays refused, perhaps for another reason.
    mutating func keep(_ refused: RefusedPostback, as reason: RefusedReason? = nil) {
        judged += 1
        kept.add(reason ?? refused.reason, isCut: refused.isCut)
    }

    func summary(isWhole: Bool) -> Message {
        let not: StaticString = isWhole ? "" : "not all: "
        var line: Message = "\(not)\(judged) refused postback\(plural(judged)) judged again, \(counted) counted"
        if duplicates > 0 { line = "\(line), \(duplicates) duplicate\(plural(duplicates))" }
        if failed > 0 { line = "\(line), \(failed) failed" }
        return kept.all > 0 ? "\(line), \(kept.sum("still refused"))" : line
    }
}
