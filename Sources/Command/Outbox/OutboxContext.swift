import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// The state that all parts of an outbox share.
final class OutboxContext {
    let settings: OutboxSettings
    /// A relaxed store: changes that a power failure undoes are repeated.
    let store: OpenStore
    let log: OutboxLog
    let traffic: OutboxTraffic
    let counts = OutboxCounts()

    init(
        _ settings: OutboxSettings, _ store: OpenStore, _ sources: OutboxSources, _ log: @escaping OutboxLog
    ) {
        self.settings = settings
        self.store = store
        self.log = log
        traffic = OutboxTraffic(sources)
    }

    /// Saves an attempt's entry in place of the loaded version.
    func save(_ attempt: OutboxAttempt) -> Status {
        let record = attempt.entry.record(under: attempt.known.key)
        return attempt.known.key.withUnsafeBytes { key in
            record.withUnsafeBytes { store.save(key, $0, expected: attempt.version).status }
        }
    }

    /// Removes the loaded version of the entry.
    func remove(_ attempt: OutboxAttempt) -> Status {
        do throws(Failure) {
            let isRemoved = try attempt.known.key.withBytes { key throws(Failure) in
                try store.records.remove(key, expected: attempt.version)
            }
            return isRemoved ? .ok : .storeConflict
        } catch {
            return error.status
        }
    }
}
