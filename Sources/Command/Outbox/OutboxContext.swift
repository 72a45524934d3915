import SKANCommandStores
import SKANCore
import SKANStorePool
import SKANSystem

/// The state that all parts of an outbox share.
final class OutboxContext {
    let settings: OutboxSettings
    /// The store, opened with relaxed durability: a change lost in a power failure is simply made again.
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

    /// Saves an attempt's entry if the store still holds the version that was loaded.
    func save(_ attempt: OutboxAttempt) -> Status {
        let record = attempt.entry.record(under: attempt.known.key)
        return attempt.known.key.withUnsafeBytes { key in
            record.withUnsafeBytes { store.save(key, $0, expected: attempt.version).status }
        }
    }

    /// Removes an attempt's entry if the store still holds the version that was loaded.
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
