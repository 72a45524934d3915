internal import SKANCommandOutput
internal import SKANCommandStores
internal import SKANCore
internal import SKANSystem

extension InstallGroups {
    /// Reads a store of the app's own installs; a record that cannot be read is named, and left out.
    static func read(_ store: OpenStore, _ models: RevenueModels, now: Int64) throws(CommandEnd) -> InstallGroups {
        var groups = InstallGroups(models, now: now)
        var kinds = RecordCounts()
        var seen: SeenKeys? = store.listsEachKeyOnce ? nil : SeenKeys()
        let walk = StoreWalk(store, printsData: false) { key, record, _ in
            let kind = RecordKind(of: record, under: key)
            guard kind == .install, seen?.add(install: key) != false else {
                kinds.count(kind)
                return
            }
            groups.take(key, record, kind)
        }
        guard walk.isComplete else { throw .done(.found) }
        groups.add(damaged: walk.failed)
        let found = groups.read
        guard found > 0 || kinds.tellOthers(in: store.name, own: "installs", count: found) else { throw .done(.found) }
        return groups
    }

    private mutating func take(_ key: Bytes, _ record: Bytes, _ kind: RecordKind) {
        do throws(Failure) {
            if let problem = kind.nameProblem(key) { throw Failure(.corruptRecord, "wrong name: \(problem)") }
            var install = InstallState(.skan4)
            try Record.read(record, isOwn: false, into: &install)
            add(install)
        } catch {
            complain(Message(utf8: [UInt8](key)), error.message)
            add(damaged: 1)
        }
    }
}
