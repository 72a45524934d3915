import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// Makes the messages to partners from the records of counted postbacks.
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

    /// Makes the messages, and keeps only the attempts that have one. A postback's record is loaded once for all its
    /// partners.
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

    /// Makes an attempt's message if possible, and returns whether it did. `place`: the index of the attempt's postback
    /// in the batch.
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

    /// Handles an entry that this server cannot report. The entry is left to other servers on the store, which may have
    /// newer networks, models or programs, and the next search finds it again. It is given up once it has been due for
    /// a day.
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

    /// Handles an entry whose postback is not in the store. If it was prepared recently, the postback may still be
    /// counted, so the entry waits. If it was prepared a day ago, it is removed; if the postback is sent again, its
    /// entries are written again. If the entry was tried before, its postback existed and may be on its way from
    /// another store, so the entry stays.
    private func awaitCount(_ attempt: OutboxAttempt) {
        let now = support_now()
        let soon = now + context.settings.lease
        if attempt.entry.state != .prepared {
            postpone(attempt, until: now + context.settings.search * second)
        } else if attempt.entry.created > now + clockTolerance {
            // The clock was ahead when the entry was prepared, so its day of waiting begins now.
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
