internal import CSKANSystem
package import SKANCommandOutput
package import SKANCommandStores
internal import SKANCore
internal import SKANSystem

/// Removes the record of every install whose last postback window closed more than so many days ago.
package func purgeInstalls(_ store: OpenStore, closedBefore days: Int64, isDry: Bool) -> ExitCode {
    var purge = InstallPurge(store, before: Int64(time(nil)) - days * 86_400, isDry: isDry)
    let walk = StoreWalk(store, printsData: false) { id, record, version in purge.take(id, record, version) }
    return purge.end(walk)
}

private struct InstallPurge {
    private let store: OpenStore
    /// Unix seconds: windows that closed earlier go.
    private let before: Int64
    private let isDry: Bool
    private var read: UInt64 = 0
    private var removed: UInt64 = 0
    /// Meanwhile, by others: they stay.
    private var changed: UInt64 = 0
    /// They stay.
    private var unreadable: UInt64 = 0
    private var failed: UInt64 = 0
    /// No installs: left alone.
    private var others = RecordCounts()

    init(_ store: OpenStore, before: Int64, isDry: Bool) {
        self.store = store
        self.before = before
        self.isDry = isDry
    }

    mutating func take(_ id: Bytes, _ record: Bytes, _ version: UInt64) {
        let kind = RecordKind(of: record, under: id)
        if kind != .install { return others.count(kind) }
        read += 1
        do throws(Failure) {
            let state = try InstallState(record: record)
            if let end = state.closesAt, end < before { remove(id, version) }
        } catch {
            unreadable += 1
            complain(Message(utf8: [UInt8](id)), "stays: \(error.message)")
        }
    }

    private mutating func remove(_ id: Bytes, _ version: UInt64) {
        if isDry {
            removed += 1
            return
        }
        store.calm()
        switch store.remove(id, version: version) {
        case .ok: removed += 1
        case .storeConflict: changed += 1
        case .notFound: break
        default:
            failed += 1
            complain(Message(utf8: [UInt8](id)), "could not be removed: \(store.words)")
        }
    }

    func end(_ walk: StoreWalk) -> ExitCode {
        let what: StaticString = isDry ? "would be removed" : "removed"
        StandardOutput.line(
            walk.sum(
                "\(read) record\(plural(read)) read, \(removed) \(what)",
                [
                    (changed, "changed meanwhile and stay"), (unreadable, "damaged or too new and stay"),
                    (failed, "could not be removed"),
                ]))
        var isFine = walk.isComplete && unreadable == 0 && failed == 0 && walk.failed == 0
        if walk.isComplete {
            isFine = others.tellOthers(in: store.name, own: "installs", count: read + walk.failed) && isFine
        }
        return isFine ? .fine : .found
    }
}
