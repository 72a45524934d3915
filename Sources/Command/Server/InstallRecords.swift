internal import SKANCore
package import SKANEngine
package import SKANStorePool
internal import SKANSystem

/// Where an endpoint keeps what requests do not tell.
package enum InstallRecords: Sendable {
    /// Gone with the process.
    case memory(MemoryRecords)
    case store(RecordStore, StoreHealth)

    /// Runs a rule on the install under a key.
    func perform(
        _ rule: any RuleObject, _ key: Bytes, _ protocolVersion: ProtocolVersion
    ) throws(Failure) -> Status {
        switch self {
        case .memory(let memory):
            var transaction = Transaction(AnyRule(rule), protocolVersion)
            return try memory.perform(&transaction, key)
        case .store(let store, let health):
            do throws(Failure) {
                let status = try store.perform(rule, key, protocolVersion)
                health.wrote(true)
                return status
            } catch {
                if error.isOfStore { health.wrote(false) }
                throw error
            }
        }
    }
}
