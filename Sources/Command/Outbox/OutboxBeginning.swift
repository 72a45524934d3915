import CSKANSupport
import SKANCommandStores
import SKANCore
import SKANHTTPClient
import SKANStorePool
import SKANSystem

/// Starts the attempts for due entries: takes the entries that can be reported, and calls their partners.
final class OutboxBeginning {
    private let context: OutboxContext
    private let client: HTTPClient
    private let results: OutboxResults
    private let messages: OutboxMessages
    private let batch = RecordBatch()

    init(_ context: OutboxContext, _ client: HTTPClient, _ results: OutboxResults) {
        self.context = context
        self.client = client
        self.results = results
        messages = OutboxMessages(context, results)
    }

    func beginDue() {
        let taken = context.traffic.takeDue()
        if taken.isEmpty { return }
        var attempts = taken
        loadEntries(&attempts)
        messages.make(&attempts)
        takeEntries(&attempts)
        context.traffic.begin(attempts, of: taken)
        for attempt in attempts { call(attempt) }
    }

    private func postpone(_ attempt: OutboxAttempt, until due: Int64) {
        context.traffic.putBack(attempt.known, due: due)
    }

    // MARK: The entries

    /// Loads the entries, and keeps only the attempts whose entries are to be reported now.
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
        guard let entry = attempt.known.key.withUnsafeBytes({ OutboxEntry(record, under: $0) }) else {
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

    // MARK: The calls

    /// Takes the remaining entries by moving their due times a lease ahead. Until then they belong to this worker.
    private func takeEntries(_ attempts: inout [OutboxAttempt]) {
        let now = support_now()
        var records: [ChangedRecord] = []
        for attempt in attempts {
            attempt.entry.state = .waiting
            attempt.entry.attempts += 1
            attempt.entry.due = now + context.settings.lease
            let key = attempt.known.key
            records.append(ChangedRecord(key, attempt.entry.record(under: key), expected: attempt.version))
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
                // Another worker changed the entry, or this save may have succeeded. In both cases the entry can belong
                // to a worker until a lease is over.
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
