import SKANCommandStores
import SKANCore
package import SKANEngine
package import SKANStorePool
import SKANSystem

/// The storage of users' counts, since requests to an endpoint do not carry them.
package enum InstallRecords: Sendable {
    /// Records in memory. They are lost when the process ends, or earlier to make room for others.
    case memory(UserRecords)
    /// Records in a store; the sweep limits their number.
    case store(RecordStore, InstallTurns, StoreHealth, UserSweep)

    /// The number of users who began with a model; nil if they have not been counted yet. Users in a store are counted
    /// every hour.
    func users(of model: SHA256) -> UInt64? {
        switch self {
        case .memory(let memory): memory.users(of: model)
        case .store(_, _, _, let sweep): sweep.users(of: model)
        }
    }

    func perform(
        _ key: Bytes, _ protocolVersion: ProtocolVersion,
        _ rule: @escaping (inout InstallState) throws(Failure) -> Verdict
    ) throws(Failure) -> Status {
        switch self {
        case .memory(let memory):
            return try memory.perform(key, protocolVersion, rule)
        case .store(let store, let turns, let health, let sweep):
            do throws(Failure) {
                let status = try store.perform(
                    key, protocolVersion, in: turns, created: { sweep.noteNew() },
                    took: { health.times.add($0, microseconds: $1) }, rule)
                health.wrote(true)
                return status
            } catch {
                if error.isOfStore { health.wrote(false) }
                throw error
            }
        }
    }
}
