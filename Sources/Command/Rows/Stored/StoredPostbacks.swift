package import SKANCommandOutput
package import SKANCommandStores
import SKANCore
package import SKANPostbackReceiving
package import SKANPostbackVerification
package import SKANSystem

/// A postback that has been read from a receiver's record.
package struct StoredPostback {
    package let key: Bytes
    package let kind: RecordKind
    package let record: PostbackRecord
    package let postback: VerifiedPostback
}

/// Reads each postback of a store once. A postback that cannot be read is named in a message.
package final class StoredPostbacks {
    private var damaged: UInt64 = 0
    private var own: UInt64 = 0
    private var tellsInstalls = true
    /// The keys read so far; nil if the store lists each key only once.
    private var seen: SeenKeys?

    package init(listsEachKeyOnce: Bool) { seen = listsEachKeyOnce ? nil : SeenKeys() }

    /// Calls `visit` with the postbacks loaded in a batch.
    package func read(_ batch: RecordBatch, _ visit: (StoredPostback) -> Void) {
        for index in 0..<batch.count where batch.status(index) == .ok {
            let (key, record) = (batch.key(index), batch.record(index))
            let kind = RecordKind(of: record, under: key)
            guard isPostback(key, kind), seen?.add(key) != false else { continue }
            do throws(Failure) {
                let (record, body) = try PostbackRecord.read(record)
                let postback = VerifiedPostback(restoring: body, record.verdict)
                visit(StoredPostback(key: key, kind: kind, record: record, postback: postback))
            } catch {
                complainOfDamage(key, error.message)
            }
        }
    }

    /// Leaves installs out of the message about other records in the store. For callers that read the installs too.
    package func leaveInstallsUntold() { tellsInstalls = false }

    /// Walks a store's postbacks; reads no other records.
    package static func walk(_ store: OpenStore, printsData: Bool, visit: (RecordBatch) -> Bool) -> StoreWalk {
        StoreWalk(store, of: [.postback, .refused], printsData: printsData, visit: visit)
    }

    /// Ends the walk, and says in messages which records were left out. `what` is the name of the output, such as
    /// "report", and `it` is the word for the output at the end of a message, such as "it" or "these rows". Throws if
    /// there is nothing to report; otherwise returns `.found` if a record could not be read, and `.fine` if all were.
    package func end(
        _ walk: StoreWalk, _ store: OpenStore, what: StaticString, it: StaticString
    ) throws(CommandEnd) -> ExitCode {
        guard walk.isComplete else { throw .done(.found) }
        if own + walk.failed == 0 {
            var others = try RecordCounts.all(of: store)
            let isOfReceiver = others[.outbox] > 0
            if !tellsInstalls { others[.install] = 0 }
            guard isOfReceiver || others.tellOthers(in: store.name, own: "postbacks", count: 0) else {
                throw .done(.found)
            }
            complain(store.name, "no postbacks: skan serve --postbacks takes them over HTTP, skan receive from files")
        }
        let unread = damaged + walk.failed
        if unread == 0 { return .fine }
        let are: StaticString = unread == 1 ? "is" : "are"
        complain("\(what)", "\(unread) record\(plural(unread)) could not be read and \(are) not in \(it)")
        return .found
    }

    private func isPostback(_ key: Bytes, _ kind: RecordKind) -> Bool {
        own += 1
        guard let problem = kind.nameProblem(key) else { return true }
        complainOfDamage(key, "wrong name: \(problem)")
        return false
    }

    private func complainOfDamage(_ key: Bytes, _ why: Message) {
        damaged += 1
        complain(Message(utf8: [UInt8](key)), why)
    }
}
