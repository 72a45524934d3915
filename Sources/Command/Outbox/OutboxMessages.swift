import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// The messages to partners, made from the records of counted postbacks.
final class OutboxMessages {
    private let context: OutboxContext
    private let results: OutboxResults
    private let batch = RecordBatch()

    init(_ context: OutboxContext, _ results: OutboxResults) {
        self.context = context
        self.results = results
    }

    private func postpone(_ attempt: OutboxAttempt, until due: Int64) {
        context.traffic.putBack(attempt.known, due: due)
    }

    /// Makes the messages, and keeps only attempts whose postbacks were counted. Partners of one postback share its
    /// record.
    func make(_ attempts: inout [OutboxAttempt]) {
        batch.removeAll()
        var places: [[UInt8]: Int] = [:]
        for attempt in attempts {
            let postback = attempt.name.postback
            if postback.withUnsafeBytes({ batch.add($0) }) { places[postback] = batch.count - 1 }
        }
        batch.load(from: context.store)
        attempts = attempts.filter { attempt in
            guard let place = places[attempt.name.postback] else { return false }
            return hasMessage(attempt, place)
        }
    }

    /// `place`: the index of its postback in the batch.
    private func hasMessage(_ attempt: OutboxAttempt, _ place: Int) -> Bool {
        switch batch.status(place) {
        case .ok: return hasMessage(attempt, batch.record(place))
        case .notFound: awaitCount(attempt)
        default: postpone(attempt, until: support_now() + storePause)
        }
        return false
    }

    private func hasMessage(_ attempt: OutboxAttempt, _ postback: Bytes) -> Bool {
        guard let partner = attempt.partner else {
            leave(attempt, because: "this partner is not in the file of networks")
            return false
        }
        do throws(Failure) {
            attempt.url = try partner.url.message(for: attempt.name, record: postback, attempt.sources.rows)
            if partner.takesRow {
                attempt.body = try partnerRow(of: postback, for: attempt.name, attempt.sources.rows)
            }
            return true
        } catch {
            leave(attempt, because: error.message)
            return false
        }
    }

    /// Leaves an entry to the store's other servers, because this server cannot report it: they may have newer
    /// networks, models or programs. The next search finds it again.
    private func leave(_ attempt: OutboxAttempt, because reason: Message) {
        switch context.settings.course(ofUnreportable: attempt.entry, now: support_now()) {
        case .giveUp:
            return results.bury(attempt, because: reason)
        case .beginDay(let now):
            attempt.entry.due = now
            _ = context.save(attempt)
        case .leave:
            break
        }
        results.tellFailure(of: attempt, "is left to other servers for a day", reason)
        context.traffic.forget(attempt.known)
    }

    /// Handles an entry whose postback is not in the store. If it was prepared recently, the postback will follow soon.
    /// If it was prepared long ago, the postback will come only if it is sent again, which renews the entry. If the
    /// entry was tried before, its postback existed and may be on its way from another store, so the entry stays.
    private func awaitCount(_ attempt: OutboxAttempt) {
        let now = support_now()
        let soon = now + context.settings.lease
        if attempt.entry.state != .prepared {
            postpone(attempt, until: now + context.settings.search * second)
        } else if attempt.entry.created > now + clockTolerance {
            // The clock was ahead when the entry was prepared, so its day begins now.
            attempt.entry.created = now
            _ = context.save(attempt)
            postpone(attempt, until: soon)
        } else if now - attempt.entry.created >= givenUpAfter, context.remove(attempt) == .ok {
            context.traffic.forget(attempt.known)
        } else {
            postpone(attempt, until: soon)
        }
    }
}
