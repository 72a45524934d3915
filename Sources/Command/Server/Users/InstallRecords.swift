internal import SKANCore
internal import SKANEngine
package import SKANStorePool
internal import SKANSystem

/// The place where an endpoint stores the counts that requests do not carry.
package enum InstallRecords: Sendable {
    /// Records in memory: they are lost when the process ends, or earlier to make room for others.
    case memory(UserRecords)
    /// Records in a store, up to a number that the sweep keeps.
    case store(RecordStore, StoreHealth, UserSweep)

    /// Runs a rule on the install under a key.
    func perform(
        _ key: Bytes, _ protocolVersion: ProtocolVersion,
        _ rule: @escaping (inout InstallState) throws(Failure) -> Verdict
    ) throws(Failure) -> Status {
        switch self {
        case .memory(let memory):
            return try memory.perform(key, protocolVersion, rule)
        case .store(let store, let health, let sweep):
            do throws(Failure) {
                let status = try store.perform(key, protocolVersion, created: { sweep.noteNew() }, rule)
                health.wrote(true)
                return status
            } catch {
                if error.isOfStore { health.wrote(false) }
                throw error
            }
        }
    }
}
