internal import CSKANSupport
internal import SKANCommandStores
internal import SKANCore
internal import SKANHTTPClient
internal import SKANStorePool
internal import SKANSystem

/// Entries that are due: those that may be told are taken, and their partners called.
final class OutboxBeginning {
    private let context: OutboxContext
    private let client: HTTPClient
    private let results: OutboxResults
    private let batch = RecordBatch()

    init(_ context: OutboxContext, _ client: HTTPClient, _ results: OutboxResults) {
        self.context = context
        self.client = client
        self.results = results
    }

    func beginDue() {
        var attempts = context.traffic.takeDue()
        if attempts.isEmpty { return }
        loadEntries(&attempts)
        makeMessages(&attempts)
        takeEntries(&attempts)
        context.traffic.begin(attempts)
        for attempt in attempts { call(attempt) }
    }

    private func postpone(_ attempt: OutboxAttempt, until due: Int64) {
        context.traffic.putBack(attempt.known, due: due)
    }

    // MARK: The entries

    /// Leaves only the attempts that are to be made now.
    private func loadEntries(_ attempts: inout [OutboxAttempt]) {
        batch.removeAll()
        for attempt in attempts { attempt.known.key.withUnsafeBytes { _ = batch.add($0) } }
        batch.load(from: context.store)
        let now = support_now()
        var left: [OutboxAttempt] = []
        for (index, attempt) in attempts.enumerated() {
            switch batch.status(index) {
            case .ok:
                if isDue(attempt, batch.record(index), batch.version(index), now) { left.append(attempt) }
            case .notFound:
                context.traffic.forget(attempt.known)
            default:
                postpone(attempt, until: now + storePause)
            }
        }
        attempts = left
    }

    private func isDue(_ attempt: OutboxAttempt, _ record: Bytes, _ version: UInt64, _ now: Int64) -> Bool {
        guard let entry = OutboxEntry(record) else {
            context.log("outbox", "a record of the outbox cannot be read, it stays")
            context.traffic.forget(attempt.known)
            return false
        }
        attempt.entry = entry
        attempt.version = version
        let due = context.settings.due(of: entry, now: now)
        let isCounted = entry.state == .prepared && context.traffic.isActivated(attempt.known)
        if entry.state == .dead {
            context.traffic.forget(attempt.known)
        } else if due > now && !isCounted {
            postpone(attempt, until: due)
        } else if entry.attempts >= context.settings.attempts {
            results.bury(attempt, because: entry.reason.isEmpty ? "no answer was written down" : nil)
        } else {
            return true
        }
        return false
    }

    // MARK: What is told

    /// Leaves those whose postbacks were counted. Partners of one postback share its record.
    private func makeMessages(_ attempts: inout [OutboxAttempt]) {
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

    /// `place`: of its postback in the batch.
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
            results.bury(attempt, because: "this partner is not in the file of networks")
            return false
        }
        do throws(Failure) {
            attempt.url = try partner.url.message(for: attempt.name, record: postback, attempt.sources.rows)
            if partner.takesRow {
                attempt.body = try partnerRow(of: postback, for: attempt.name, attempt.sources.rows)
            }
            return true
        } catch {
            results.bury(attempt, because: error.message)
            return false
        }
    }

    /// The postback is not in the store. Where its entry was prepared lately it will be soon; where that was long ago it
    /// never will, unless it is sent again, which renews the entry. One that was tried before had its postback, which may
    /// be on its way from another store: that entry stays.
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

    // MARK: The calls

    /// Takes the entries that are left: from here on they are this worker's until they are due.
    private func takeEntries(_ attempts: inout [OutboxAttempt]) {
        let now = support_now()
        var records: [ChangedRecord] = []
        for attempt in attempts {
            attempt.entry.state = .waiting
            attempt.entry.attempts += 1
            attempt.entry.due = now + context.settings.lease
            records.append(ChangedRecord(attempt.known.key, attempt.entry.record, expected: attempt.version))
        }
        context.store.save(&records)
        var left: [OutboxAttempt] = []
        for (attempt, record) in zip(attempts, records) {
            switch record.status {
            case .ok:
                attempt.version = record.version
                left.append(attempt)
            case .store:
                postpone(attempt, until: now + storePause)
            default:
                // Another worker's, or perhaps this one's: then it is due again.
                postpone(attempt, until: now + context.settings.lease)
            }
        }
        attempts = left
    }

    private func call(_ attempt: OutboxAttempt) {
        let traffic = context.traffic
        do throws(Failure) {
            _ = try client.start(attempt.url, json: attempt.body) { traffic.finish(attempt, $0) }
        } catch {
            traffic.finish(attempt, .failed(error.message))
        }
    }
}
