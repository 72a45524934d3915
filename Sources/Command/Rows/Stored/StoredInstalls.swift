package import SKANCommandOutput
package import SKANCommandStores
package import SKANCore
import SKANSystem

/// The app's own installs, as read from a store.
package struct StoredInstalls {
    private var found: UInt64 = 0
    /// The number of records that could not be read. Each was named in a message.
    package private(set) var damaged: UInt64 = 0

    /// Calls `visit` with each install once. A record that cannot be read is named in a message and skipped.
    @export(interface)
    package static func read(
        _ store: OpenStore, _ visit: (borrowing InstallState) -> Void
    ) throws(CommandEnd) -> StoredInstalls {
        var installs = StoredInstalls()
        var kinds = RecordCounts()
        var seen: SeenKeys? = store.listsEachKeyOnce ? nil : SeenKeys()
        let walk = StoreWalk(store, printsData: false) { key, record, _ in
            let kind = RecordKind(of: record, under: key)
            guard kind == .install, seen?.add(install: key) != false else {
                kinds.count(kind)
                return
            }
            installs.read(key, record, kind, store, visit)
        }
        guard walk.isComplete else { throw .done(.found) }
        installs.damaged += walk.failed
        let count = installs.found + installs.damaged
        guard count > 0 || kinds.tellOthers(in: store.name, own: "installs", count: count) else { throw .done(.found) }
        return installs
    }

    private mutating func read(
        _ key: Bytes, _ record: Bytes, _ kind: RecordKind, _ store: OpenStore,
        _ visit: (borrowing InstallState) -> Void
    ) {
        do throws(Failure) {
            if let problem = kind.nameProblem(key) { throw Failure(.corruptRecord, "wrong name: \(problem)") }
            var install = InstallState(.skan4)
            try Record.read(record, isOwn: false, into: &install)
            guard store.isInstall(install, under: key) else { return }
            found += 1
            visit(install)
        } catch {
            complain(Message(utf8: [UInt8](key)), error.message)
            damaged += 1
        }
    }
}
