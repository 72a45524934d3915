package import SKANCommandOutput
package import SKANCommandStores
package import SKANCore
internal import SKANSystem

/// What was read of a store of the app's own installs.
package struct StoredInstalls {
    private var found: UInt64 = 0
    /// Records that could not be read, which were named.
    package private(set) var damaged: UInt64 = 0

    /// Shows each install once; a record that cannot be read is named, and left out.
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
            installs.read(key, record, kind, visit)
        }
        guard walk.isComplete else { throw .done(.found) }
        installs.damaged += walk.failed
        let count = installs.found + installs.damaged
        guard count > 0 || kinds.tellOthers(in: store.name, own: "installs", count: count) else { throw .done(.found) }
        return installs
    }

    private mutating func read(
        _ key: Bytes, _ record: Bytes, _ kind: RecordKind, _ visit: (borrowing InstallState) -> Void
    ) {
        do throws(Failure) {
            if let problem = kind.nameProblem(key) { throw Failure(.corruptRecord, "wrong name: \(problem)") }
            var install = InstallState(.skan4)
            try Record.read(record, isOwn: false, into: &install)
            found += 1
            visit(install)
        } catch {
            complain(Message(utf8: [UInt8](key)), error.message)
            damaged += 1
        }
    }
}
