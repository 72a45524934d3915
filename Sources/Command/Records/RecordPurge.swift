import CSKANSystem
package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANEngine
import SKANPostbackReceiving
import SKANSystem

/// The ages in days from which records are removed.
package struct PurgedDays {
    /// The number of days since an install's last postback window closed, or since a user of skan serve was last seen;
    /// nil keeps installs.
    package var closed: Int64?
    /// The number of days since the last change of an install that was never registered; nil keeps such installs.
    package var unregistered: Int64?
    /// The number of days since the arrival of a refused postback; nil keeps refused postbacks.
    package var refused: Int64?

    package init() {}
}

/// Removes the records that are old enough or, if `isDry`, only counts them.
@export(interface)
package func purgeRecords(_ store: OpenStore, olderThan days: PurgedDays, isDry: Bool) -> ExitCode {
    var purge = RecordPurge(store, days, now: Int64(time(nil)), isDry: isDry)
    // Installs' ids have no common prefix, so finding them means reading everything.
    let kinds: [RecordKind] = days.closed == nil && days.unregistered == nil ? [.refused] : [.install]
    let walk = StoreWalk(store, of: kinds, printsData: false) { id, record, version in purge.take(id, record, version) }
    return purge.end(walk)
}

private struct RecordPurge {
    private let store: OpenStore
    /// Times in Unix seconds; nil removes none. Installs are removed if their windows closed before `closedBefore`, or
    /// if they were never registered and have not changed since `unregisteredBefore`. Refused postbacks are removed if
    /// they arrived before `refusedBefore`.
    private let closedBefore, unregisteredBefore, refusedBefore: Int64?
    private let now: Int64
    private let isDry: Bool
    private var read: UInt64 = 0
    private var removed: UInt64 = 0
    /// The number of records that were kept because they were changed meanwhile.
    private var changed: UInt64 = 0
    /// The number of records that were kept because they belonged to a rename. This run ends the rename instead.
    private var renamed: UInt64 = 0
    /// The number of records that were kept because they cannot be read.
    private var unreadable: UInt64 = 0
    private var failed: UInt64 = 0
    /// The numbers of records of other kinds, which are kept.
    private var others = RecordCounts()

    init(_ store: OpenStore, _ days: PurgedDays, now: Int64, isDry: Bool) {
        self.store = store
        closedBefore = days.closed.map { now - $0 * Day.seconds }
        unregisteredBefore = days.unregistered.map { now - $0 * Day.seconds }
        refusedBefore = days.refused.map { now - $0 * Day.seconds }
        self.now = now
        self.isDry = isDry
    }

    mutating func take(_ id: Bytes, _ record: Bytes, _ version: UInt64) {
        let kind = RecordKind(of: record, under: id)
        do throws(Failure) {
            if kind == .install, closedBefore != nil || unregisteredBefore != nil {
                read += 1
                let state = try InstallState(record: record)
                if let mark = state.rename {
                    try end(mark.rename(of: [UInt8](id)))
                } else if isOld(state, id) {
                    remove(id, version)
                }
            } else if kind == .refused, let refusedBefore {
                read += 1
                let received = try PostbackRecord.read(record).record.received
                if received / 1_000_000 < refusedBefore { remove(id, version) }
            } else {
                others.count(kind)
            }
        } catch {
            unreadable += 1
            complain(Message(utf8: [UInt8](id)), "not removed: \(error.message)")
        }
    }

    private func isOld(_ state: InstallState, _ id: Bytes) -> Bool {
        if !state.conversion.isRegistered, let unregisteredBefore, let changed = state.conversion.changed,
            max(changed, state.closesAt ?? changed) < unregisteredBefore
        {
            return true
        }
        let isOfUser = ServedUser(id) != nil && state.tellsCountsOnly
        guard let closedBefore, let end = isOfUser ? state.conversion.last : state.closesAt, end < closedBefore else {
            return false
        }
        return !isOfUser || state.closesAt ?? now < now
    }

    /// Rules, "Rename": ends a rename that nobody has ended, so that a later run can remove its records.
    private mutating func end(_ rename: RenamePair) throws(Failure) {
        renamed += 1
        if !isDry { _ = try store.records.carryOut(Renaming(.settle, rename, nil)) }
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
                    (changed, "changed meanwhile and stay"),
                    (renamed, "in a rename that had not ended and stay"), (unreadable, "damaged or too new and stay"),
                    (failed, "could not be removed"),
                ]))
        var isFine = walk.isComplete && unreadable == 0 && failed == 0 && walk.failed == 0
        if walk.isComplete {
            let isOfPostbacks = refusedBefore != nil
            let isOfInstalls = closedBefore != nil || unregisteredBefore != nil
            let own: StaticString =
                isOfPostbacks ? !isOfInstalls ? "postbacks" : "installs or postbacks" : "installs"
            do throws(CommandEnd) {
                // If only refused postbacks were looked for and there were none, the store's other records are not
                // known.
                let isUnknown = !isOfInstalls && read + walk.failed == 0
                let found = isUnknown ? try RecordCounts.all(of: store) : others
                let count = read + walk.failed + (isOfPostbacks ? found[.postback] : 0)
                isFine = found.tellOthers(in: store.name, own: own, count: count) && isFine
            } catch {
                _ = error.say()
                isFine = false
            }
        }
        return isFine ? .fine : .found
    }
}
