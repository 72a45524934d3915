import CSKANSupport
package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
import SKANSystem

/// Lists the entries in a store's outbox, or schedules those that were given up for another try.
package struct OutboxReview {
    private let store: OpenStore
    private let retries: Bool
    private var dead: UInt64 = 0
    private var retried: UInt64 = 0
    /// The number of dead entries that were not retried because another process changed them after they were loaded.
    private var changed: UInt64 = 0
    private var failed: UInt64 = 0
    private var own: UInt64 = 0

    /// `retries`: whether to have dead entries tried again instead of listing all entries.
    package init(_ store: OpenStore, retries: Bool) {
        self.store = store
        self.retries = retries
    }

    /// Walks the entries of the outbox and reads no other records of the store.
    @export(interface)
    package mutating func review() -> ExitCode {
        let walk = StoreWalk(store, of: [.outbox], printsData: !retries) { key, record, version in
            look(at: record, key, version)
        }
        if retries { tellRetried(isComplete: walk.isComplete) }
        var isFine = walk.isComplete && failed == 0 && walk.failed == 0
        if walk.isComplete && own + walk.failed == 0 { isFine = isFine && isOfReceiver() }
        return isFine ? .fine : .found
    }

    /// Whether a store without entries can be a store of postbacks: it contains postbacks, or no records except models.
    /// If it cannot, prints the kinds of its records.
    private func isOfReceiver() -> Bool {
        do throws(CommandEnd) {
            let found = try RecordCounts.all(of: store)
            if found[.postback] > 0 || found[.refused] > 0 { return true }
            return found.tellOthers(in: store.name, own: "an outbox", count: 0)
        } catch {
            _ = error.say()
            return false
        }
    }

    private func tellRetried(isComplete: Bool) {
        let start: StaticString = isComplete ? "" : "not all: "
        let end: Message = changed > 0 ? ", \(changed) changed meanwhile" : ""
        StandardOutput.line("\(start)\(retried) of \(dead) given up will be tried again\(end)")
    }

    private mutating func look(at record: Bytes, _ key: Bytes, _ version: UInt64) {
        own += 1
        let told = Message(utf8: [UInt8](key))
        guard let name = OutboxEntryName(key) else {
            failed += 1
            complain(told, "wrong name: \(RecordKind.outbox.nameProblem(key) ?? "")")
            return
        }
        guard let entry = OutboxEntry(record, under: key) else {
            failed += 1
            complain(told, "is damaged, or of a newer version")
            return
        }
        if entry.state == .dead { dead += 1 }
        if !retries {
            StandardOutput.line(document(name, entry))
        } else if entry.state == .dead {
            retry(entry, key, version: version)
        }
    }

    private mutating func retry(_ found: OutboxEntry, _ key: Bytes, version: UInt64) {
        var entry = found
        entry.state = .waiting
        entry.attempts = 0
        entry.due = support_now()
        store.calm()
        switch entry.record(under: [UInt8](key)).withUnsafeBytes({ store.save(key, $0, expected: version).status }) {
        case .ok:
            retried += 1
        case .storeConflict:
            changed += 1
        default:
            failed += 1
            complain(Message(utf8: [UInt8](key)), "could not be saved: \(store.words)")
        }
    }
}

/// Makes an entry's JSON document. Times are in seconds. Network and partner come from the key, since the record does
/// not contain them.
private func document(_ name: OutboxEntryName, _ entry: OutboxEntry) -> ByteBuffer {
    var json = JSONWriter(capacity: 512)
    json.beginObject()
    json.member("id", text: name.id)
    json.member("network", text: name.network)
    json.member("partner", text: name.partner)
    json.member("state", text: [UInt8](entry.state.name.bytes))
    json.member("attempts", entry.attempts)
    json.member("created", entry.created / 1_000_000)
    json.member("due", entry.due / 1_000_000)
    json.member("reason", text: entry.reason)
    json.endObject()
    return json.finish()
}
