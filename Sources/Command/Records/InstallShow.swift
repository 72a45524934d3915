import CSKANSystem
package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
package import SKANSystem

/// Prints one install, as a table or as its details document on one line.
@export(interface)
package func showInstall(_ id: Bytes, in store: OpenStore, asJSON: Bool) -> ExitCode {
    let found = store.load(id)
    switch found.status {
    case .ok:
        return found.bytes.withUnsafeBytes { showRecord($0, of: id, in: store, asJSON: asJSON) }
    case .notFound:
        complainOfNone(id, in: store)
        return .found
    default:
        complain(Message(utf8: [UInt8](id)), "could not be read: \(store.words)")
        return .found
    }
}

private func showRecord(_ record: Bytes, of id: Bytes, in store: OpenStore, asJSON: Bool) -> ExitCode {
    let name = Message(utf8: [UInt8](id))
    let kind = RecordKind(of: record, under: id)
    guard kind == .install else {
        complain(name, "expected an install, found \(kind.name): \(kind.advice)")
        return .found
    }
    do throws(Failure) {
        let state = try InstallState(record: record)
        if let mark = state.rename, !store.isInstall(state, under: id) {
            let other = Message(utf8: mark.other)
            complain(name, mark.stage == .moved ? "has been renamed to \(other)" : "is being renamed from \(other)")
            return .found
        }
        if asJSON {
            try state.withDetails { StandardOutput.line($0) }
        } else {
            InstallTable(id, state, now: Int64(time(nil))).print()
        }
        return .fine
    } catch {
        complain(name, error.message)
        return .found
    }
}

/// Reports that there is no such install. If the first records of the store's listing include no install, also says
/// what they are.
private func complainOfNone(_ id: Bytes, in store: OpenStore) {
    complain(Message(utf8: [UInt8](id)), "no such install in \(store.name)")
    guard store.canList else { return }
    let batch = RecordBatch()
    do throws(CommandEnd) {
        var listing = try StoreListing(store)
        try listing.next(into: batch)
        batch.load(from: store)
    } catch {
        _ = error.say()
    }
    var others = RecordCounts()
    for index in 0..<batch.count {
        let kind = RecordKind(of: batch.record(index), under: batch.key(index))
        guard batch.status(index) == .ok, kind != .install else { return }
        others.count(kind)
    }
    _ = others.tellOthers(in: store.name, own: "installs", count: 0)
}
