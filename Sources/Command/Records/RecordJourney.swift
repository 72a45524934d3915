import SKANCommandOutput
import SKANCommandStores
import SKANCore
import SKANSystem

/// The move of one record from a store to another.
struct RecordJourney {
    private let move: RecordMove
    private let key: Bytes
    private let kind: RecordKind
    private var source: LoadedRecord
    /// The record in `to`, as it was loaded last.
    private var copy: LoadedRecord
    /// The version of the copy that this run saved; 0 if it saved none.
    private var ownVersion: UInt64
    /// Whether the store `to` already had an equal record before this run saved a copy.
    private var wasThere = false

    private enum Step {
        /// Save the record of `from` over the known version of the copy in `to`.
        case copy
        /// Remove the record from `from`, because the copy has arrived.
        case remove
        /// The record needs no further step.
        case over
    }

    /// The maximum number of times that a record is copied again because others change it or an outcome is unknown.
    private static var attempts: Int { 10 }

    init(
        _ move: RecordMove, _ key: Bytes, source: LoadedRecord, copy: LoadedRecord, ownVersion: UInt64
    ) {
        self.move = move
        self.key = key
        self.source = source
        self.copy = copy
        self.ownVersion = ownVersion
        kind = source.bytes.withUnsafeBytes { RecordKind(of: $0, under: key) }
    }

    /// Takes all steps of the move. `saved`: the status of the record's first save.
    mutating func go(saved: Status) {
        if saved == .store { return move.fail(key, "could not be saved: \(move.to.words)") }
        wasThere = saved == .storeConflict && copy.status == .ok && copy.bytes == source.bytes
        var step = judgeCopy(saved: saved)
        for _ in 0..<RecordJourney.attempts {
            if case .copy = step { step = copyAgain() }
            if case .remove = step { step = removeSource() }
            if case .over = step { return }
        }
        move.fail(key, "others keep changing it; it is in both stores")
    }

    // MARK: The copy

    /// Judges the copy that was loaded and returns the next step. `saved`: the status of this run's last save;
    /// `.storeConflict` if there was none.
    private mutating func judgeCopy(saved: Status) -> Step {
        if copy.status == .store { return fail("its copy could not be read back", move.to) }
        if copy.status == .notFound { return .copy }
        if copy.bytes == source.bytes {
            if !move.areDistinct, saved != .ok, copy.version == source.version { return tellApart() }
            ownVersion = copy.version
            return .remove
        }
        if saved == .ok {
            if copy.version == ownVersion { return fail("its copy is not what was saved", move.to) }
            // Others have changed the copy since, so it has arrived and is in use there.
            return .remove
        }
        if move.replaces || copy.version == ownVersion { return .copy }
        if kind == .outbox, isOutboxEntry(copy) {
            // An earlier run was killed after it copied the entry, and the server of `to` has changed the copy since.
            // The partner is notified from there.
            wasThere = true
            return .remove
        }
        move.differing += 1
        complain(Message(utf8: [UInt8](key)), "both stores have it, with different records; it stays in both")
        return .over
    }

    private func isOutboxEntry(_ record: LoadedRecord) -> Bool {
        record.bytes.withUnsafeBytes { OutboxEntry($0, under: key) } != nil
    }

    private mutating func copyAgain() -> Step {
        let saved = save(over: copy.status == .ok ? copy.version : 0)
        if saved.status == .store { return fail("could not be saved", move.to) }
        if saved.status == .ok { ownVersion = saved.version }
        copy = move.to.load(key)
        return judgeCopy(saved: saved.status)
    }

    private func save(over version: UInt64) -> (status: Status, version: UInt64) {
        source.bytes.withUnsafeBytes { move.to.save(key, $0, expected: version) }
    }

    private func fail(_ what: StaticString, _ store: OpenStore) -> Step {
        move.fail(key, "\(what): \(store.words)")
        return .over
    }

    /// Finds out whether both URLs lead to the same store, where removing the source would remove the only record.
    /// Equal versions in both mean that they do, or that a file was copied. So the copy is saved once more; if the
    /// version of the source changes too, there is only one store.
    private mutating func tellApart() -> Step {
        let saved = save(over: source.version)
        let there = move.from.load(key)
        let isSaved = saved.status == .ok && there.status == .ok
        if isSaved, there.version == source.version {
            move.areDistinct = true
            copy = LoadedRecord(status: copy.status, version: saved.version, bytes: copy.bytes)
            ownVersion = saved.version
            return .remove
        }
        if isSaved, there.version == saved.version {
            move.areOne = true
            complain(move.from.name, "is the same store as \(move.to.name); nothing is removed")
            return .over
        }
        return fail("cannot find out whether both are the same store", move.to)
    }

    // MARK: The source

    private mutating func removeSource() -> Step {
        if move.keeps { return arrive() }
        switch move.from.remove(key, version: source.version) {
        // A record that is gone was removed by another run of this command or by an app's forget, as the help says.
        case .ok, .notFound: return arrive()
        case .storeConflict: break
        default: return fail("was copied, but could not be removed", move.from)
        }
        source = move.from.load(key)
        if source.status == .notFound { return arrive() }
        guard source.status == .ok else { return fail("could not be read again", move.from) }
        copy = move.to.load(key)
        return judgeCopy(saved: .storeConflict)
    }

    private func arrive() -> Step {
        move.count(kind, wasThere: wasThere)
        return .over
    }
}
